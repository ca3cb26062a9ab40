"""is_compiling and a compiled function called by another"""
import torch

@torch.compile
def inner(x):
    return x * 2

@torch.compile
def outer(x):
    if torch.compiler.is_compiling():
        x = x + 1
    return inner(x)

a = torch.ones(3)
outer(a)
outer(a)
inner(a)
outer(a)
inner(a)
