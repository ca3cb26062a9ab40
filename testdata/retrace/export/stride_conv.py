"""Strided convolutions and a flatten: H and W get fixed."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.fc = nn.Linear(4 * 4 * 4, 2)

    def forward(self, x):
        return self.fc(self.c(x).flatten(1))

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(2, 3, 8, 8),), dynamic_shapes={"x": {0: Dim("B"), 2: Dim("H"), 3: Dim("W")}})
except Exception as e:
    print(type(e).__name__)
