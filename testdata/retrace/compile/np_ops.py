import numpy as np
import torch
@torch.compile(backend="eager")
def f(x):
    return torch.from_numpy(np.sin(x.numpy()))
f(torch.ones(3))
f(torch.ones(4))
f(torch.ones(5))
@torch.compile(backend="eager")
def g(x):
    return x.numpy()
g(torch.ones(3))
g(torch.ones(4))
g(torch.ones(5))
@torch.compile(backend="eager")
def h(x):
    return np.arange(x.shape[0])
h(torch.ones(3))
h(torch.ones(4))
h(torch.ones(5))
@torch.compile(backend="eager")
def k(x):
    return np.arange(x.shape[0]) + np.sin(x.numpy())
k(torch.ones(3))
k(torch.ones(4))
k(torch.ones(5))
