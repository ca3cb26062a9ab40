"""ints 27"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_stack(x, n):
    return torch.stack([x] * n)


@torch.compile
def f_cumsum(x, n):
    return x[:n].cumsum(0)


@torch.compile
def f_mm(x, n):
    return x[:n] @ torch.rand(6, 3)


@torch.compile
def f_interp(x, n):
    return F.interpolate(x[None], size=n)


@torch.compile
def f_apool(x, n):
    return F.adaptive_avg_pool1d(x, n)


@torch.compile
def f_mp(x, n):
    return F.max_pool1d(x[None], n)


@torch.compile
def f_ln(x, n):
    return F.layer_norm(x[:, :n], (n,))

f_stack(x, 3)
f_stack(x, 2)
f_stack(x, 3)
f_stack(x, 1)
f_cumsum(x, 3)
f_cumsum(x, 2)
f_cumsum(x, 3)
f_cumsum(x, 1)
f_cumsum(x, 0)
f_mm(x, 3)
f_mm(x, 2)
f_mm(x, 3)
f_mm(x, 1)
f_mm(x, 0)
f_interp(x, 3)
f_interp(x, 2)
f_interp(x, 3)
f_interp(x, 1)
f_apool(x, 3)
f_apool(x, 2)
f_apool(x, 3)
f_apool(x, 1)
f_mp(x, 3)
f_mp(x, 2)
f_mp(x, 3)
f_mp(x, 1)
f_ln(x, 3)
f_ln(x, 2)
f_ln(x, 3)
f_ln(x, 1)
