"""Gradients inside of compiled functions."""
import torch
@torch.compile(backend="eager")
def f(x):
    y = (x * x).sum()
    return torch.autograd.grad(y, x)[0]
@torch.compile(backend="eager")
def g(x):
    return torch.func.grad(lambda t: (t * t).sum())(x)
@torch.compile(backend="eager")
def h(x):
    return torch.vmap(lambda t: t * 2)(x)
x = torch.ones(3, requires_grad=True)
f(x)
f(x)
g(torch.ones(3))
g(torch.ones(3))
g(torch.ones(4))
h(torch.ones(3))
h(torch.ones(4))
h(torch.ones(5))
