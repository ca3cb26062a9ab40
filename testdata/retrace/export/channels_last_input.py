"""An input that is given the channels last."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Conv2d(3, 8, 2, stride=2)

    def forward(self, x):
        return self.e(x.to(memory_format=torch.channels_last))

torch.export.export(Net(), (torch.rand(2, 3, 32, 32),), dynamic_shapes={"x": {0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO}})
