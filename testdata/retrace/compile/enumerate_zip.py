"""Elements of a list that are one tensor."""
import torch

@torch.compile
def f(xs):
    out = 0
    for i, (a, b) in enumerate(zip(xs, xs[1:])):
        out = out + (a * b).sum() * i
    return out
a = torch.ones(2)
f([a, a, a])
f([a, a + 1, a])
f([a, a])
