"""A number of what is given, looked at or kept."""
import torch
class S:
    def __init__(self, n):
        self.n = n
@torch.compile(backend="eager")
def f(x, s):
    a, n = s
    if a:
        return x + 1, n
    return x, n
for i in range(4):
    f(torch.ones(8), [i, 2 * i])
