"""A condition n != 5."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] == 5:
            return x
        return x * 2

net = Net().eval()
try:
    ep = torch.export.export(net, (torch.ones(8),), dynamic_shapes={"x": {0: Dim("B")}})
    m = ep.module()
    m(torch.ones(9))
    m(torch.ones(5))
except Exception as e:
    print(type(e).__name__)
