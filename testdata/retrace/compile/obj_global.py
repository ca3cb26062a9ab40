"""Of an object in a global floats become symbols and ints do not."""
import torch

class S:
    def __init__(self):
        self.f = 0.5
        self.k = 2
s = S()

@torch.compile
def f(x):
    return x * s.f + s.k
for k in [0.5, 0.25, 0.125]:
    s.f = k
    f(torch.ones(2))
for k in [3, 4, 5]:
    s.k = k
    f(torch.ones(2))
