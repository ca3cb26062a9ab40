"""time and print while exporting."""
import time
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def forward(self, x):
        print("exporting")
        return x * (time.time() % 100)

net = Net().eval()
ep = export(net, (torch.ones(3),))
ep.module()(torch.ones(3))
