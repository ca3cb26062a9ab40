"""int of a tensor: strict mode keeps the number."""
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x, n):
        return x * int(n)
net = Net().eval()
try:
    ep = torch.export.export(net, (torch.ones(5), torch.tensor(3)))
except Exception as e:
    print(type(e).__name__)
