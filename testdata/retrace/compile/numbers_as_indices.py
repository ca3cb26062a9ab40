"""Numbers that are axes are fixed, those that index a tensor keep within it and count from one end; the parts of slices are read one by one."""
import torch


@torch.compile(backend="eager")
def along(x, dim):
    return x.sum(dim)


@torch.compile(backend="eager")
def at(x, i):
    return x[i]


@torch.compile(backend="eager")
def cut(x, s):
    return x[s]


x = torch.ones(2, 3)
for d in [0, 1, -1, 0]:
    along(x, d)
x = torch.ones(6)
for i in [0, 1, 2, 3, -1, 0, -2]:
    at(x, i)
for s in [slice(0, 2), slice(0, 3), slice(1, 4), slice(0, 2)]:
    cut(x, s)
