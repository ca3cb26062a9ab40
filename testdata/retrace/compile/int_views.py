"""ints 9"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_select(x, n):
    return x.select(0, n)


@torch.compile
def f_narrow(x, n):
    return x.narrow(0, 0, n)


@torch.compile
def f_topk(x, n):
    return x.topk(n, 0).values


@torch.compile
def f_roll(x, n):
    return torch.roll(x, n, 0)


@torch.compile
def f_pad(x, n):
    return F.pad(x, (n, n))


@torch.compile
def f_chunk(x, n):
    return x.chunk(n, 0)[0]


@torch.compile
def f_split(x, n):
    return x.split(n)[0]


@torch.compile
def f_unsq(x, n):
    return x.repeat_interleave(n, 0)


@torch.compile
def f_eye(x, n):
    return torch.eye(n)

f_select(x, 3)
f_select(x, 2)
f_select(x, 3)
f_select(x, 1)
f_narrow(x, 3)
f_narrow(x, 2)
f_narrow(x, 3)
f_narrow(x, 1)
f_narrow(x, 0)
f_topk(x, 3)
f_topk(x, 2)
f_topk(x, 3)
f_topk(x, 1)
f_topk(x, 0)
f_roll(x, 3)
f_roll(x, 2)
f_roll(x, 3)
f_roll(x, 1)
f_roll(x, 0)
f_pad(x, 3)
f_pad(x, 2)
f_pad(x, 3)
f_pad(x, 1)
f_pad(x, 0)
f_chunk(x, 3)
f_chunk(x, 2)
f_chunk(x, 3)
f_chunk(x, 1)
f_split(x, 3)
f_split(x, 2)
f_split(x, 3)
f_split(x, 1)
f_unsq(x, 3)
f_unsq(x, 2)
f_unsq(x, 3)
f_unsq(x, 1)
f_unsq(x, 0)
f_eye(x, 3)
f_eye(x, 2)
f_eye(x, 3)
f_eye(x, 1)
f_eye(x, 0)
