"""The module GaussianNLLLoss."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.GaussianNLLLoss()

    def forward(self, x, t):
        return self.loss(x, t, x * x + 1)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4, 3), torch.zeros(4, 3),), dynamic_shapes={"x": {0: Dim("B")}, "t": {0: Dim("B")}})
m = ep.module()
m(torch.ones(6, 3), torch.zeros(6, 3))
