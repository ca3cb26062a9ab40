"""a named tuple"""
from collections import namedtuple
import torch
P = namedtuple("P", "a b")
@torch.compile(backend="eager")
def f(x, p):
    return x * p.a
x = torch.ones(3)
f(x, P(1, "q"))
f(x, P(1, "r"))
f(x, P(2, "r"))
f(x, P(3, "r"))
f(x, P(3, None))
