"""Learned positions limit the length."""
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(10, 4)
        self.pos = nn.Embedding(16, 4)

    def forward(self, ids):
        return self.tok(ids) + self.pos(torch.arange(ids.shape[1]))

net = Net().eval()
ep = export(net, (torch.zeros(2, 5, dtype=torch.long),), dynamic_shapes=({0: Dim.AUTO, 1: Dim.AUTO},))
ep.module()(torch.zeros(3, 9, dtype=torch.long))
