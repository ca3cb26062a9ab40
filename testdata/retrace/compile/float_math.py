"""floats 11"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_floor(x, s):
    return x * math.floor(s)


@torch.compile
def f_sin(x, s):
    return x * math.sin(s)


@torch.compile
def f_tanh(x, s):
    return x * math.tanh(s)


@torch.compile
def f_mpow(x, s):
    return x * math.pow(s, 2)


@torch.compile
def f_abs(x, s):
    return x * abs(s)


@torch.compile
def f_round(x, s):
    return x * round(s)


@torch.compile
def f_int(x, s):
    return x * int(s)


@torch.compile
def f_max(x, s):
    return x * max(s, 0.3)


@torch.compile
def f_fmt(x, s):
    return x * len(f"{s}")


@torch.compile
def f_scalarpow(x, s):
    return x * s ** 2


@torch.compile
def f_neg(x, s):
    return x * -s

f_floor(x, 0.75)
f_floor(x, 0.6)
f_floor(x, 0.9)
f_sin(x, 0.75)
f_sin(x, 0.6)
f_sin(x, 0.9)
f_tanh(x, 0.75)
f_tanh(x, 0.6)
f_tanh(x, 0.9)
f_mpow(x, 0.75)
f_mpow(x, 0.6)
f_mpow(x, 0.9)
f_abs(x, 0.75)
f_abs(x, 0.6)
f_abs(x, 0.9)
f_round(x, 0.75)
f_round(x, 0.6)
f_round(x, 0.9)
f_int(x, 0.75)
f_int(x, 0.6)
f_int(x, 0.9)
f_max(x, 0.75)
f_max(x, 0.6)
f_max(x, 0.9)
f_fmt(x, 0.75)
f_fmt(x, 0.6)
f_fmt(x, 0.9)
f_scalarpow(x, 0.75)
f_scalarpow(x, 0.6)
f_scalarpow(x, 0.9)
f_neg(x, 0.75)
f_neg(x, 0.6)
f_neg(x, 0.9)
