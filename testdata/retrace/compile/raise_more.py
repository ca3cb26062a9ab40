"""Errors of the program: caught inside, outside, in a called function, after an operation."""
import torch
@torch.compile(backend="eager")
def f(x):
    try:
        if x.shape[0] > 4:
            raise ValueError("long")
    except ValueError:
        return x * 3
    return x * 2
def check(x):
    if x.shape[0] > 4:
        raise ValueError("long")
@torch.compile(backend="eager")
def g(x):
    y = x * 2
    check(x)
    return y
@torch.compile(backend="eager")
def h(x, d):
    return x * d["k"]
f(torch.ones(3))
f(torch.ones(6))
f(torch.ones(4))
for n in (3, 6, 4, 7):
    try:
        g(torch.ones(n))
    except ValueError:
        print("caught")
for d in ({"k": 1}, {}, {"k": 1}, {"k": 2}):
    try:
        h(torch.ones(2), d)
    except KeyError:
        print("no key")
