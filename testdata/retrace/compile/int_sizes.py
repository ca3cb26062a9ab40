"""ints 0"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_arange(x, n):
    return torch.arange(n) * 2


@torch.compile
def f_zeros(x, n):
    return torch.zeros(n) + 1


@torch.compile
def f_zeros2(x, n):
    return torch.zeros(n, 3) + 1


@torch.compile
def f_slice(x, n):
    return x[:n]


@torch.compile
def f_slice2(x, n):
    return x[n:]


@torch.compile
def f_view(x, n):
    return x[:n].reshape(-1, 1)


@torch.compile
def f_expand(x, n):
    return x[:1].expand(n, 6)


@torch.compile
def f_repeat(x, n):
    return x.repeat(n, 1)


@torch.compile
def f_index(x, n):
    return x[n]

f_arange(x, 3)
f_arange(x, 2)
f_arange(x, 3)
f_arange(x, 1)
f_arange(x, 0)
f_zeros(x, 3)
f_zeros(x, 2)
f_zeros(x, 3)
f_zeros(x, 1)
f_zeros(x, 0)
f_zeros2(x, 3)
f_zeros2(x, 2)
f_zeros2(x, 3)
f_zeros2(x, 1)
f_zeros2(x, 0)
f_slice(x, 3)
f_slice(x, 2)
f_slice(x, 3)
f_slice(x, 1)
f_slice(x, 0)
f_slice2(x, 3)
f_slice2(x, 2)
f_slice2(x, 3)
f_slice2(x, 1)
f_slice2(x, 0)
f_view(x, 3)
f_view(x, 2)
f_view(x, 3)
f_view(x, 1)
f_view(x, 0)
f_expand(x, 3)
f_expand(x, 2)
f_expand(x, 3)
f_expand(x, 1)
f_expand(x, 0)
f_repeat(x, 3)
f_repeat(x, 2)
f_repeat(x, 3)
f_repeat(x, 1)
f_repeat(x, 0)
f_index(x, 3)
f_index(x, 2)
f_index(x, 3)
f_index(x, 1)
