"""A number of what is given, looked at or kept."""
import torch
class S:
    def __init__(self, n):
        self.n = n
@torch.compile(backend="eager")
def f(x, s):
    return x + 1, s[-1] + 1
for i in range(4):
    f(torch.ones(8), [1, i])
