"""A counter in a tensor that is no buffer."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = torch.zeros(1)

    def forward(self, x):
        self.count = self.count + 1
        return x * self.count

net = Net()
run = torch.export.export(net, (torch.ones(3),)).module()
run(torch.ones(3))
run(torch.ones(3))
run(torch.ones(3))
