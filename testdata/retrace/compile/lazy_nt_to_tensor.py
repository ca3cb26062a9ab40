"""A number of what is given, with which a function computes and which it keeps."""
from collections import namedtuple
import torch
P = namedtuple("P", "a b")
@torch.compile(backend="eager")
def f(x, p):
    return x * p.a, p.b * 2
for i in range(4):
    f(torch.ones(2), P(2, i))
