"""floats 0"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_add(x, s):
    return x + s


@torch.compile
def f_rsub(x, s):
    return s - x


@torch.compile
def f_div(x, s):
    return x / s


@torch.compile
def f_floordiv(x, s):
    return x // s


@torch.compile
def f_pow(x, s):
    return x ** s


@torch.compile
def f_rpow(x, s):
    return s ** x


@torch.compile
def f_mod(x, s):
    return x % s


@torch.compile
def f_gt(x, s):
    return torch.where(x > s, x, 0.0)


@torch.compile
def f_sqrt(x, s):
    return x * math.sqrt(s)


@torch.compile
def f_exp(x, s):
    return x * math.exp(s)


@torch.compile
def f_log(x, s):
    return x * math.log(s)

f_add(x, 0.75)
f_add(x, 0.6)
f_add(x, 0.9)
f_rsub(x, 0.75)
f_rsub(x, 0.6)
f_rsub(x, 0.9)
f_div(x, 0.75)
f_div(x, 0.6)
f_div(x, 0.9)
f_floordiv(x, 0.75)
f_floordiv(x, 0.6)
f_floordiv(x, 0.9)
f_pow(x, 0.75)
f_pow(x, 0.6)
f_pow(x, 0.9)
f_rpow(x, 0.75)
f_rpow(x, 0.6)
f_rpow(x, 0.9)
f_mod(x, 0.75)
f_mod(x, 0.6)
f_mod(x, 0.9)
f_gt(x, 0.75)
f_gt(x, 0.6)
f_gt(x, 0.9)
f_sqrt(x, 0.75)
f_sqrt(x, 0.6)
f_sqrt(x, 0.9)
f_exp(x, 0.75)
f_exp(x, 0.6)
f_exp(x, 0.9)
f_log(x, 0.75)
f_log(x, 0.6)
f_log(x, 0.9)
