"""Marks that may be ignored."""
import torch
@torch.compile(backend="eager")
def f(x):
    return x.softmax(0)
@torch.compile(backend="eager")
def g(x):
    return x.view(2, 2) * 2
@torch.compile(backend="eager")
def h(x, y):
    return x + y
x = torch.ones(4)
torch._dynamo.maybe_mark_dynamic(x, 0)
f(x)
f(torch.ones(5))
f(torch.ones(1))
x = torch.ones(4)
torch._dynamo.maybe_mark_dynamic(x, 0)
g(x)
g(torch.ones(4))
x = torch.ones(4)
torch._dynamo.maybe_mark_dynamic(x, 0)
h(x, torch.ones(4))
h(torch.ones(5), torch.ones(5))
h(torch.ones(6), torch.ones(6))
