"""Values of a dict that a loop does not use."""
import torch
@torch.compile(backend="eager")
def f(cfg, x):
    for k, v in cfg.items():
        if k != "skip":
            x = x * v
    return x
@torch.compile(backend="eager")
def g(ks, x):
    for i, k in enumerate(ks):
        if i > 0:
            x = x * k
    return x
@torch.compile(backend="eager")
def h(cfg, x):
    for v in cfg.values():
        x = x * v
        break
    return x
@torch.compile(backend="eager")
def w(a, b, x):
    for p, q in zip(a, b):
        x = x * p
    return x
x = torch.ones(3)
f({"p": 1, "skip": 5}, x)
f({"p": 1, "skip": 6}, x)
f({"p": 2, "skip": 6}, x)
g([1, 2], x)
g([5, 2], x)
g([5, 3], x)
h({"p": 1, "q": 5}, x)
h({"p": 1, "q": 6}, x)
h({"p": 2, "q": 6}, x)
w([1, 2], [1, 2], x)
w([1, 2], [1, 3], x)
w([1, 3], [1, 3], x)
