"""floats 66"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_isclose(x, s):
    return torch.isclose(x, x, rtol=s)


@torch.compile
def f_normal(x, s):
    return torch.normal(0.0, s, (3,)) + x.sum()


@torch.compile
def f_normal_(x, s):
    return x.clone().normal_(0, s)


@torch.compile
def f_uniform_(x, s):
    return x.clone().uniform_(0, s)


@torch.compile
def f_bernoulli(x, s):
    return torch.bernoulli(x * 0, p=s / 10)


@torch.compile
def f_glu(x, s):
    return F.gelu(x) * s


@torch.compile
def f_mul_(x, s):
    return x.clone().mul_(s)


@torch.compile
def f_add_(x, s):
    return x.clone().add_(x, alpha=s)


@torch.compile
def f_lerp(x, s):
    return x.lerp(x, s)


@torch.compile
def f_renorm(x, s):
    return x.renorm(2, 0, s)


@torch.compile
def f_leaky(x, s):
    return F.leaky_relu(x, s)

f_isclose(x, 0.75)
f_isclose(x, 0.6)
f_isclose(x, 0.9)
f_normal(x, 0.75)
f_normal(x, 0.6)
f_normal(x, 0.9)
f_normal_(x, 0.75)
f_normal_(x, 0.6)
f_normal_(x, 0.9)
f_uniform_(x, 0.75)
f_uniform_(x, 0.6)
f_uniform_(x, 0.9)
f_bernoulli(x, 0.75)
f_bernoulli(x, 0.6)
f_bernoulli(x, 0.9)
f_glu(x, 0.75)
f_glu(x, 0.6)
f_glu(x, 0.9)
f_mul_(x, 0.75)
f_mul_(x, 0.6)
f_mul_(x, 0.9)
f_add_(x, 0.75)
f_add_(x, 0.6)
f_add_(x, 0.9)
f_lerp(x, 0.75)
f_lerp(x, 0.6)
f_lerp(x, 0.9)
f_renorm(x, 0.75)
f_renorm(x, 0.6)
f_renorm(x, 0.9)
f_leaky(x, 0.75)
f_leaky(x, 0.6)
f_leaky(x, 0.9)
