"""Two sizes that vary one after the other: marked, they are symbols at once."""
import torch

@torch.compile(backend="eager")
def f(x, y):
    return x.sum(0) + y * 2

for n, m in ((2, 3), (4, 3), (4, 5), (6, 7)):
    x = torch.ones(n, m)
    y = torch.ones(m)
    f(x, y)
