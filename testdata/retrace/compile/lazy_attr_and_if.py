"""A number of what is given, looked at or kept."""
import torch
class S:
    def __init__(self, n):
        self.n = n
@torch.compile(backend="eager")
def f(x, s):
    if s.n > 1:
        x = x + 1
    return x, s.n + 1
for i in range(4):
    f(torch.ones(8), S(i))
