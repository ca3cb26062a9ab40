import torch
from torch import nn

class Base(nn.Module):
    scale = 2.0
    def forward(self, x):
        return self.run(x) * self.scale

class A(Base):
    def run(self, x):
        return x + 1

class B(Base):
    scale = 3.0
    def run(self, x):
        return x - 1

x = torch.ones(3)
a, b = torch.compile(A(), backend="eager"), torch.compile(B(), backend="eager")
a(x)
b(x)
a(x)
Base.scale = 5.0
a(x)
b(x)
B.scale = 6.0
b(x)
Base.scale = 7.0
a(x)
