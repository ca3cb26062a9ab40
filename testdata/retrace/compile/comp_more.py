"""Comprehensions over lists, dicts and generators, with numbers of the function and of the module."""
import torch
scale = 3
@torch.compile(backend="eager")
def a(cfg, x):
    return sum([x * v for k, v in cfg.items() if k != "skip"])
@torch.compile(backend="eager")
def b(x, ks):
    return sum(x * k for k in ks)
@torch.compile(backend="eager")
def c(x, ks):
    return [x * k * scale for k in ks][0]
@torch.compile(backend="eager")
def d(x, n):
    return torch.stack([x + i for i in range(n)])
@torch.compile(backend="eager")
def e(x, names, width):
    t = {name: x * width for name in names}
    return t["a"]
@torch.compile(backend="eager")
def g(x, lo, hi):
    y = [v for v in (1, 2, 3, 4) if lo <= v < hi]
    return x * len(y)
x = torch.ones(3)
a({"p": 1, "skip": 5}, x)
a({"p": 1, "skip": 6}, x)
a({"p": 2, "skip": 6}, x)
b(x, [1, 2])
b(x, [1, 3])
b(x, [1, 3, 4])
c(x, [1, 2])
c(x, [1, 3])
scale = 4
c(x, [1, 3])
d(x, 2)
d(x, 3)
d(x, 4)
e(x, ["a", "b"], 2)
e(x, ["a"], 2)
e(x, ["a", "c"], 2)
e(x, ["a"], 3)
e(x, ["a"], 4)
g(x, 1, 3)
g(x, 1, 3)
g(x, 2, 3)
g(x, 0, 9)
