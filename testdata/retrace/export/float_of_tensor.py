"""float() of a tensor."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        s = float(x.max())
        return x / s

net = Net().eval()
try:
    ep = torch.export.export(net, (torch.ones(3),))
    m = ep.module()
    m(torch.ones(3) * 2)
except Exception as e:
    print(type(e).__name__)
