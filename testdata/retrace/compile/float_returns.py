"""floats 77"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_std(x, s):
    return x.std(correction=s)


@torch.compile
def f_roll(x, s):
    return x.sum() * s * s + s


@torch.compile
def f_compare(x, s):
    return x * 2 if s > 0.5 else x * 3


@torch.compile
def f_item2(x, s):
    return x * (s + 1) * (s - 1)


@torch.compile
def f_listf(x, s):
    return torch.tensor([s, s]) * x.sum()


@torch.compile
def f_eqz(x, s):
    return x * s if s != 0 else x


@torch.compile
def f_logit(x, s):
    return torch.logit(x, eps=s / 10)


@torch.compile
def f_softmaxT(x, s):
    return F.softmax(x / s, -1)


@torch.compile
def f_mathlog(x, s):
    return x - math.log(2) * s


@torch.compile
def f_pi(x, s):
    return torch.sin(x * math.pi * s)


@torch.compile
def f_ceil(x, s):
    return x * math.ceil(s)

f_std(x, 0.75)
f_std(x, 0.6)
f_std(x, 0.9)
f_roll(x, 0.75)
f_roll(x, 0.6)
f_roll(x, 0.9)
f_compare(x, 0.75)
f_compare(x, 0.6)
f_compare(x, 0.9)
f_item2(x, 0.75)
f_item2(x, 0.6)
f_item2(x, 0.9)
f_listf(x, 0.75)
f_listf(x, 0.6)
f_listf(x, 0.9)
f_eqz(x, 0.75)
f_eqz(x, 0.6)
f_eqz(x, 0.9)
f_logit(x, 0.75)
f_logit(x, 0.6)
f_logit(x, 0.9)
f_softmaxT(x, 0.75)
f_softmaxT(x, 0.6)
f_softmaxT(x, 0.9)
f_mathlog(x, 0.75)
f_mathlog(x, 0.6)
f_mathlog(x, 0.9)
f_pi(x, 0.75)
f_pi(x, 0.6)
f_pi(x, 0.9)
f_ceil(x, 0.75)
f_ceil(x, 0.6)
f_ceil(x, 0.9)
