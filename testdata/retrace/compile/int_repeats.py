"""ints 18"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_full(x, n):
    return torch.full((n,), 1.0)


@torch.compile
def f_tri(x, n):
    return x.tril(n)


@torch.compile
def f_lst(x, n):
    return torch.tensor([n, 2]) + 1


@torch.compile
def f_pow(x, n):
    return x ** n


@torch.compile
def f_dim(x, n):
    return x.sum(n - n)


@torch.compile
def f_mulcat(x, n):
    return torch.cat([x[:n], x])


@torch.compile
def f_view4(x, n):
    return x.reshape(4, 6)[:, :n].contiguous()


@torch.compile
def f_lt(x, n):
    return x[:n] if n < 4 else x


@torch.compile
def f_rng(x, n):
    return sum([x * i for i in range(n)])

f_full(x, 3)
f_full(x, 2)
f_full(x, 3)
f_full(x, 1)
f_full(x, 0)
f_tri(x, 3)
f_tri(x, 2)
f_tri(x, 3)
f_tri(x, 1)
f_tri(x, 0)
f_lst(x, 3)
f_lst(x, 2)
f_lst(x, 3)
f_lst(x, 1)
f_lst(x, 0)
f_pow(x, 3)
f_pow(x, 2)
f_pow(x, 3)
f_pow(x, 1)
f_pow(x, 0)
f_dim(x, 1)
f_dim(x, 2)
f_mulcat(x, 3)
f_mulcat(x, 2)
f_mulcat(x, 3)
f_mulcat(x, 1)
f_mulcat(x, 0)
f_view4(x, 3)
f_view4(x, 2)
f_view4(x, 3)
f_view4(x, 1)
f_view4(x, 0)
f_lt(x, 3)
f_lt(x, 2)
f_lt(x, 3)
f_lt(x, 1)
f_lt(x, 0)
f_rng(x, 3)
f_rng(x, 2)
f_rng(x, 3)
f_rng(x, 1)
