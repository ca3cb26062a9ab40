"""A write at a number that varies."""
import torch
@torch.compile(backend="eager")
def f(c, x, pos):
    c[:, pos] = x
    return c.sum()
@torch.compile(backend="eager")
def g(c, pos):
    return c[:, :pos + 1].sum(1)
@torch.compile(backend="eager")
def h(c, x, pos):
    c[pos] = x
    return c.sum()
@torch.compile(backend="eager")
def k(c, x, pos):
    c[:, pos:pos + 1] = x
    return c.sum()
@torch.compile(backend="eager")
def m(c, pos):
    return c[:, pos] * 2
@torch.compile(backend="eager")
def n(c, pos):
    return c.select(1, pos) * 2
@torch.compile(backend="eager")
def o(c, pos):
    return c.narrow(1, 0, pos) * 2
c = torch.zeros(2, 8)
for p in range(1, 5):
    f(c, torch.ones(2), p)
for p in range(1, 5):
    g(c, p)
d = torch.zeros(8, 2)
for p in range(1, 5):
    h(d, torch.ones(2), p)
for p in range(1, 5):
    k(c, torch.ones(2, 1), p)
for p in range(1, 5):
    m(c, p)
for p in range(1, 5):
    n(c, p)
for p in range(1, 5):
    o(c, p)
