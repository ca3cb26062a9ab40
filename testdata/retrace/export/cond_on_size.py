"""torch.cond with a predicate on a size."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 4, lambda x: x + 1, lambda x: x - 1, (x,))

net = Net().eval()
ep = torch.export.export(net, (torch.ones(6),), dynamic_shapes={"x": {0: Dim("n")}})
ep.module()(torch.ones(3))
