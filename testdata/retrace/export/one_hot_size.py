"""one_hot of as many classes as rows."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return F.one_hot(x, x.shape[0])

net = Net().eval()
ep = torch.export.export(net, (torch.arange(4),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
m(torch.arange(5))
