"""A size that is twice another plus 1."""
import torch
from torch import nn
from torch.export import Dim
class Net(nn.Module):
    def forward(self, x, y):
        return x + torch.cat([y, y, y[:1]])
net = Net().eval()
try:
    torch.export.export(net, (torch.ones(7), torch.ones(3)), dynamic_shapes={"x": {0: Dim("A")}, "y": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)
