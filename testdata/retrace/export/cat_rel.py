"""A size that is twice another."""
import torch
from torch import nn
from torch.export import Dim
class Net(nn.Module):
    def forward(self, x, y):
        return torch.cat([x, x]) + y
net = Net().eval()
try:
    torch.export.export(net, (torch.ones(3), torch.ones(6)), dynamic_shapes={"x": {0: Dim("A")}, "y": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)
