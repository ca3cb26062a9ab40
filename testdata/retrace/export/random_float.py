"""random.random() while exporting is a constant."""
import random
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def forward(self, x):
        return x * (random.random() + 1)

net = Net().eval()
ep = export(net, (torch.ones(3),), dynamic_shapes=({0: Dim.AUTO},))
ep.module()(torch.ones(4))
