"""A comparison of two sizes."""
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def forward(self, x, y):
        if x.shape[0] < y.shape[0]:
            return x.sum() + y.sum()
        return x.sum()

ep = export(Net().eval(), (torch.ones(3), torch.ones(5)), dynamic_shapes=({0: Dim.AUTO}, {0: Dim.AUTO}))
m = ep.module()
m(torch.ones(2), torch.ones(9))
try:
    m(torch.ones(9), torch.ones(9))
except Exception as e:
    print(type(e).__name__)
