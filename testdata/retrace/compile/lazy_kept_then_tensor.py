"""A number of what is given, looked at or kept."""
import torch
class S:
    def __init__(self, n):
        self.n = n
@torch.compile(backend="eager")
def f(x, s):
    m = s[0] + 1
    return x * s[0], m
for i in range(4):
    f(torch.ones(8), [i, 2])
