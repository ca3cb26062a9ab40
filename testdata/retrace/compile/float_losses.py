"""floats 55"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_smooth(x, s):
    return F.smooth_l1_loss(x, x, beta=s)


@torch.compile
def f_huber(x, s):
    return F.huber_loss(x, x, delta=s)


@torch.compile
def f_ce(x, s):
    return F.cross_entropy(x, torch.tensor([0, 1, 2, 3]), label_smoothing=s / 10)


@torch.compile
def f_margin(x, s):
    return F.triplet_margin_loss(x, x, x, margin=s)


@torch.compile
def f_hinge(x, s):
    return F.hinge_embedding_loss(x, x, margin=s)


@torch.compile
def f_sdpa(x, s):
    return F.scaled_dot_product_attention(x[None], x[None], x[None], scale=s)


@torch.compile
def f_sdpa_p(x, s):
    return F.scaled_dot_product_attention(x[None], x[None], x[None], dropout_p=s / 10)


@torch.compile
def f_gumbel(x, s):
    return F.gumbel_softmax(x, tau=s)


@torch.compile
def f_interp(x, s):
    return F.interpolate(x[None], scale_factor=s)


@torch.compile
def f_nan(x, s):
    return torch.nan_to_num(x, nan=s)


@torch.compile
def f_quantile(x, s):
    return torch.quantile(x, s / 10)

f_smooth(x, 0.75)
f_smooth(x, 0.6)
f_smooth(x, 0.9)
f_huber(x, 0.75)
f_huber(x, 0.6)
f_huber(x, 0.9)
f_ce(x, 0.75)
f_ce(x, 0.6)
f_ce(x, 0.9)
f_margin(x, 0.75)
f_margin(x, 0.6)
f_margin(x, 0.9)
f_hinge(x, 0.75)
f_hinge(x, 0.6)
f_hinge(x, 0.9)
f_sdpa(x, 0.75)
f_sdpa(x, 0.6)
f_sdpa(x, 0.9)
f_sdpa_p(x, 0.75)
f_sdpa_p(x, 0.6)
f_sdpa_p(x, 0.9)
f_gumbel(x, 0.75)
f_gumbel(x, 0.6)
f_gumbel(x, 0.9)
f_interp(x, 0.75)
f_interp(x, 0.6)
f_interp(x, 0.9)
f_nan(x, 0.75)
f_nan(x, 0.6)
f_nan(x, 0.9)
f_quantile(x, 0.75)
f_quantile(x, 0.6)
f_quantile(x, 0.9)
