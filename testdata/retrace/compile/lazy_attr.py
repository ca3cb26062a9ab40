"""A number of what is given, with which a function computes and which it keeps."""
import torch
class S:
    def __init__(self, n):
        self.n = n
@torch.compile(backend="eager")
def f(x, s):
    return x * 2, s.n + 1
for i in range(4):
    f(torch.ones(2), S(i))
