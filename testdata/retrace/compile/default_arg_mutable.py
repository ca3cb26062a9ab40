"""A counter kept in a dict of the enclosing scope."""
import torch

stats = {"n": 0}

@torch.compile
def f(x):
    stats["n"] += 1
    return x * 2

for _ in range(4):
    f(torch.ones(2))
print(stats["n"])
