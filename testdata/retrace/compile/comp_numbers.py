"""Comprehensions read numbers of their function."""
import torch
@torch.compile(backend="eager")
def f(xs, least):
    kept = [x for x in xs if x.shape[0] >= least]
    return torch.cat(kept)
@torch.compile(backend="eager")
def g(xs, k):
    return [x * k for x in xs]
@torch.compile(backend="eager")
def h(x, k):
    if [i for i in range(3) if i > k]:
        return x * 2
    return x
f([torch.ones(2), torch.ones(3)], 2)
f([torch.ones(2), torch.ones(3)], 3)
g([torch.ones(2), torch.ones(3)], 2)
g([torch.ones(2), torch.ones(3)], 3)
h(torch.ones(2), 1)
h(torch.ones(2), 0)
h(torch.ones(2), 7)
