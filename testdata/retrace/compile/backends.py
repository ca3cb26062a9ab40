"""One function under several backends and options."""
import torch
def g(x):
    return x * 3
def mine(gm, inputs):
    return gm.forward
def mine2(gm, inputs):
    return gm.forward
a = torch.compile(g, backend="eager")
b = torch.compile(g, backend=mine)
c = torch.compile(g, backend=mine2)
d = torch.compile(g, backend="eager")
e = torch.compile(g, backend="eager", fullgraph=True)
h = torch.compile(g, backend="aot_eager")
x = torch.ones(2)
a(x)
b(x)
c(x)
d(x)
e(x)
h(x)
a(x)
b(x)
c(torch.ones(3))
a(torch.ones(3))
a(torch.ones(4))
