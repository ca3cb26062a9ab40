"""A size of 1 of a convolution with the channels last is kept."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 4, stride=4)
        self.n = nn.LayerNorm(8)
        self.e = nn.Conv2d(8, 8, 2, stride=2)

    def forward(self, x):
        x = self.c(x)
        x = self.n(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return self.e(x)

torch.export.export(Net(), (torch.rand(2, 3, 8, 32),), dynamic_shapes={"x": {0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO}})
