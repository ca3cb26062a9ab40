"""What a program goes over of a dict is guarded: its keys, or what is under them."""
import torch
from torch import nn
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = {"a": 1.0, "b": 2.0}
    def forward(self, x):
        for k in self.s:
            x = x * 2
        return x
class B(A):
    def forward(self, x):
        for k in self.s.keys():
            x = x * 2
        return x
class C(A):
    def forward(self, x):
        for k, v in self.s.items():
            x = x * v
        return x
class D(A):
    def forward(self, x):
        for v in self.s.values():
            x = x * v
        return x
class E(A):
    def forward(self, x):
        for v in list(self.s):
            x = x * 2
        return x
class F(A):
    def forward(self, x):
        for v in [v for v in self.s]:
            x = x * 2
        return x
class G(A):
    def forward(self, x):
        return x * sum(self.s.values())
for c in (A,B,C,D,E,F,G):
    m = c()
    f = torch.compile(m, backend="eager")
    f(torch.ones(3))
    m.s["c"] = 3.0
    f(torch.ones(3))
    m.s["c"] = 4.0
    f(torch.ones(3))
    del m.s["c"]
    f(torch.ones(3))
    torch._dynamo.reset()
