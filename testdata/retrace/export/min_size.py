"""min of a size and a number."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        n = min(x.shape[0], 6)
        return x[:n]

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4),), dynamic_shapes={"x": {0: Dim.AUTO}})
m = ep.module()
m(torch.ones(5))
try:
    m(torch.ones(9))
except Exception as e:
    print(type(e).__name__)
