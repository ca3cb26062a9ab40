"""Parameters, buffers and tensors as arguments."""
import torch
import torch.nn as nn
@torch.compile(backend="eager")
def f(w):
    return w * 2
p = nn.Parameter(torch.ones(3))
q = nn.Parameter(torch.ones(5), requires_grad=False)
t = torch.ones(3)
f(t)
f(t)
f(q)
f(p)
f(p.data)
f(p.detach())
f(torch.ones(5))
f(torch.ones(4))
f(nn.Parameter(torch.ones(4)))
