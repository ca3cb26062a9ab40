"""A size that is larger than another is at least 3."""
import torch
from torch import nn
from torch.export import Dim
class Net(nn.Module):
    def forward(self, x, y):
        if x.shape[0] > y.shape[0]:
            return x[: y.shape[0]] + y
        return x
net = Net().eval()
try:
    torch.export.export(net, (torch.ones(5), torch.ones(3)), dynamic_shapes={"x": {0: Dim("A")}, "y": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)
