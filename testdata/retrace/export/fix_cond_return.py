"""An early return that data decides: torch.cond keeps both."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)

    def forward(self, x):
        if x.sum() > 0:
            return self.a(x) * 2
        return x - 1

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 3),), dynamic_shapes=({0: Dim("B")},))
ep.module()(-torch.ones(4, 3))
