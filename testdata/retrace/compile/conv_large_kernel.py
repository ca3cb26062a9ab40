"""A kernel of 5 and groups: the number of elements is not asked."""
import torch
from torch import nn

class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(16, 8, 5)

    def forward(self, x):
        return self.c(x)

class Grouped(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(16, 16, 3, groups=16)

    def forward(self, x):
        return self.c(x)

class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(16, 8, (5, 3))

    def forward(self, x):
        return self.c(x)

class Point(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(16, 8, 1)

    def forward(self, x):
        return self.c(x)

class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv1d(16, 8, 3)

    def forward(self, x):
        return self.c(x)

a = torch.compile(Large(), backend="eager", dynamic=True)
a(torch.rand(1, 16, 64, 60))
a(torch.rand(1, 16, 20, 24))
b = torch.compile(Grouped(), backend="eager", dynamic=True)
b(torch.rand(1, 16, 64, 60))
b(torch.rand(1, 16, 20, 24))
c = torch.compile(Flat(), backend="eager", dynamic=True)
c(torch.rand(1, 16, 64, 60))
c(torch.rand(1, 16, 20, 24))
d = torch.compile(Point(), backend="eager", dynamic=True)
d(torch.rand(1, 16, 64, 60))
d(torch.rand(1, 16, 20, 24))
e = torch.compile(Line(), backend="eager", dynamic=True)
e(torch.rand(1, 16, 2000))
e(torch.rand(1, 16, 30))
