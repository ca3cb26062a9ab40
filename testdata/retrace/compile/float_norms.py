"""floats 44"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_addcmul(x, s):
    return torch.addcmul(x, x, x, value=s)


@torch.compile
def f_sub_alpha(x, s):
    return torch.sub(x, x, alpha=s)


@torch.compile
def f_addmm(x, s):
    return torch.addmm(x[:, :4], x, x.t(), beta=s)


@torch.compile
def f_linspace(x, s):
    return torch.linspace(0, s, 5)


@torch.compile
def f_arange(x, s):
    return torch.arange(0, s, 0.1).sum() + x


@torch.compile
def f_norm(x, s):
    return x.norm(p=s)


@torch.compile
def f_normalize(x, s):
    return F.normalize(x, eps=s)


@torch.compile
def f_normalize_p(x, s):
    return F.normalize(x, p=s)


@torch.compile
def f_pdist(x, s):
    return F.pairwise_distance(x, x, p=s)


@torch.compile
def f_cdist(x, s):
    return torch.cdist(x, x, p=s)


@torch.compile
def f_cos(x, s):
    return F.cosine_similarity(x, x, eps=s)

f_addcmul(x, 0.75)
f_addcmul(x, 0.6)
f_addcmul(x, 0.9)
f_sub_alpha(x, 0.75)
f_sub_alpha(x, 0.6)
f_sub_alpha(x, 0.9)
f_addmm(x, 0.75)
f_addmm(x, 0.6)
f_addmm(x, 0.9)
f_linspace(x, 0.75)
f_linspace(x, 0.6)
f_linspace(x, 0.9)
f_arange(x, 0.75)
f_arange(x, 0.6)
f_arange(x, 0.9)
f_norm(x, 0.75)
f_norm(x, 0.6)
f_norm(x, 0.9)
f_normalize(x, 0.75)
f_normalize(x, 0.6)
f_normalize(x, 0.9)
f_normalize_p(x, 0.75)
f_normalize_p(x, 0.6)
f_normalize_p(x, 0.9)
f_pdist(x, 0.75)
f_pdist(x, 0.6)
f_pdist(x, 0.9)
f_cdist(x, 0.75)
f_cdist(x, 0.6)
f_cdist(x, 0.9)
f_cos(x, 0.75)
f_cos(x, 0.6)
f_cos(x, 0.9)
