"""A number that varies is written."""
import torch
@torch.compile(backend="eager")
def f(c, v):
    c[0] = v
    return c.sum()
@torch.compile(backend="eager")
def g(c, v):
    c[c > v] = v
    return c.sum()
@torch.compile(backend="eager")
def h(c, v):
    c.fill_(v)
    return c.sum()
@torch.compile(backend="eager")
def k(c, i, v):
    c[i] = v
c = torch.zeros(8)
for p in (2, 3, 5, 5):
    f(c, p)
for p in (2.5, 3.5, 4.5):
    f(c, p)
for p in (2, 3, 4):
    g(c, p)
for p in (2, 3, 4):
    h(c, p)
for p in (2, 3, 4):
    k(c, p, p)
