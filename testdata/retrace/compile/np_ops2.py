import numpy as np
import torch
@torch.compile(backend="eager")
def f(a):
    return a * 2 + 1
f(np.ones(3))
f(np.ones(4))
f(np.ones(5))
@torch.compile(backend="eager")
def g(a, b):
    c = np.concatenate([a, b])
    return c.mean()
g(np.ones(3), np.ones(2))
g(np.ones(4), np.ones(2))
g(np.ones(5), np.ones(3))
@torch.compile(backend="eager")
def h(a):
    return a.T
h(np.ones((3, 2)))
h(np.ones((4, 2)))
@torch.compile(backend="eager")
def k(a, n):
    return np.zeros((n, 2)) + a
k(np.ones(2), 3)
k(np.ones(2), 4)
k(np.ones(2), 5)
@torch.compile(backend="eager")
def m(a):
    return a.shape[0] + 1
m(np.ones(2))
m(np.ones(3))
@torch.compile(backend="eager")
def s(a):
    if a.sum() > 0:
        return a
    return -a
s(np.ones(2))
s(np.ones(2))
@torch.compile(backend="eager")
def r(x):
    a = x.numpy()
    b = a + np.arange(a.shape[0])
    return torch.from_numpy(b)
r(torch.ones(3))
r(torch.ones(4))
r(torch.ones(5))
