"""gaussian_nll_loss with a named batch."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, t, v):
        return F.gaussian_nll_loss(x, t, v)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4, 3), torch.zeros(4, 3), torch.ones(4, 3),), dynamic_shapes={"x": {0: Dim("B")}, "t": {0: Dim("B")}, "v": {0: Dim("B")}})
m = ep.module()
m(torch.ones(6, 3), torch.zeros(6, 3), torch.ones(6, 3))
