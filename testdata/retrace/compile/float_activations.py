"""floats 33"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_threshold(x, s):
    return F.threshold(x, s, 0.0)


@torch.compile
def f_softshrink(x, s):
    return F.softshrink(x, s)


@torch.compile
def f_celu(x, s):
    return F.celu(x, s)


@torch.compile
def f_clamp(x, s):
    return torch.clamp(x, -s, s)


@torch.compile
def f_clamp_min(x, s):
    return x.clamp_min(s)


@torch.compile
def f_masked_fill(x, s):
    return x.masked_fill(x > 0, s)


@torch.compile
def f_fill(x, s):
    return x.clone().fill_(s)


@torch.compile
def f_full_like(x, s):
    return torch.full_like(x, s)


@torch.compile
def f_new_full(x, s):
    return x.new_full((2,), s)


@torch.compile
def f_tensor(x, s):
    return x * torch.tensor(s)


@torch.compile
def f_where(x, s):
    return torch.where(x > 0, x, s)

f_threshold(x, 0.75)
f_threshold(x, 0.6)
f_threshold(x, 0.9)
f_softshrink(x, 0.75)
f_softshrink(x, 0.6)
f_softshrink(x, 0.9)
f_celu(x, 0.75)
f_celu(x, 0.6)
f_celu(x, 0.9)
f_clamp(x, 0.75)
f_clamp(x, 0.6)
f_clamp(x, 0.9)
f_clamp_min(x, 0.75)
f_clamp_min(x, 0.6)
f_clamp_min(x, 0.9)
f_masked_fill(x, 0.75)
f_masked_fill(x, 0.6)
f_masked_fill(x, 0.9)
f_fill(x, 0.75)
f_fill(x, 0.6)
f_fill(x, 0.9)
f_full_like(x, 0.75)
f_full_like(x, 0.6)
f_full_like(x, 0.9)
f_new_full(x, 0.75)
f_new_full(x, 0.6)
f_new_full(x, 0.9)
f_tensor(x, 0.75)
f_tensor(x, 0.6)
f_tensor(x, 0.9)
f_where(x, 0.75)
f_where(x, 0.6)
f_where(x, 0.9)
