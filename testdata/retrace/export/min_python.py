"""min of two sizes."""
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def forward(self, x, y):
        n = min(x.shape[0], y.shape[0])
        return x[:n] + y[:n]

net = Net().eval()
ep = export(net, (torch.ones(3), torch.ones(5)), dynamic_shapes=({0: Dim.AUTO}, {0: Dim.AUTO}))
m = ep.module()
m(torch.ones(4), torch.ones(8))
try:
    m(torch.ones(8), torch.ones(4))
except Exception as e:
    print(type(e).__name__)
