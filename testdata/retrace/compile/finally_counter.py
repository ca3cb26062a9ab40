"""Counters before, behind, in try and in finally."""
import torch
n = 0
m = 0
k = 0
@torch.compile(backend="eager")
def f(x):
    global n
    try:
        y = x * 2
    finally:
        n += 1
    return y
@torch.compile(backend="eager")
def g(x):
    global m
    try:
        m += 1
        return x * 2
    except ValueError:
        return x
@torch.compile(backend="eager")
def h(x):
    global k
    k = k + 1
    return x * 2
@torch.compile(backend="eager")
def w(x):
    global k
    with torch.no_grad():
        k += 1
    return x * 2
@torch.compile(backend="eager")
def v(x):
    global k
    if x.shape[0] > 1:
        k += 1
    return x * 2
@torch.compile(backend="eager")
def u(x):
    global k
    for i in range(2):
        k += i
    return x * 2
x = torch.ones(3)
for fn in (f, g, h, w, v, u):
    for _ in range(3):
        fn(x)
