"""pooling and flatten with fixed linear"""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 3)

    def forward(self, x):
        return self.fc(F.max_pool2d(x, 2).flatten(1))

net = Net().eval()
ep = torch.export.export(net, (torch.rand(2, 1, 8, 8),), dynamic_shapes={"x": {0: Dim("B"), 2: Dim("H")}})
m = ep.module()
