"""floats 22"""
import math
import torch
import torch.nn.functional as F
x = torch.rand(4, 6)


@torch.compile
def f_sdiv(x, s):
    return x * (1 / s)


@torch.compile
def f_sfloordiv(x, s):
    return x * (s // 2)


@torch.compile
def f_smod(x, s):
    return x * (s % 1)


@torch.compile
def f_dropout(x, s):
    return F.dropout(x, s / 10, training=True)


@torch.compile
def f_layer_norm(x, s):
    return F.layer_norm(x, (6,), eps=s)


@torch.compile
def f_group_norm(x, s):
    return F.group_norm(x, 2, eps=s)


@torch.compile
def f_batch_norm(x, s):
    return F.batch_norm(x, torch.zeros(6), torch.ones(6), eps=s)


@torch.compile
def f_rms_norm(x, s):
    return F.rms_norm(x, (6,), eps=s)


@torch.compile
def f_elu(x, s):
    return F.elu(x, s)


@torch.compile
def f_softplus(x, s):
    return F.softplus(x, s)


@torch.compile
def f_hardtanh(x, s):
    return F.hardtanh(x, -s, s)

f_sdiv(x, 0.75)
f_sdiv(x, 0.6)
f_sdiv(x, 0.9)
f_sfloordiv(x, 0.75)
f_sfloordiv(x, 0.6)
f_sfloordiv(x, 0.9)
f_smod(x, 0.75)
f_smod(x, 0.6)
f_smod(x, 0.9)
f_dropout(x, 0.75)
f_dropout(x, 0.6)
f_dropout(x, 0.9)
f_layer_norm(x, 0.75)
f_layer_norm(x, 0.6)
f_layer_norm(x, 0.9)
f_group_norm(x, 0.75)
f_group_norm(x, 0.6)
f_group_norm(x, 0.9)
f_batch_norm(x, 0.75)
f_batch_norm(x, 0.6)
f_batch_norm(x, 0.9)
f_rms_norm(x, 0.75)
f_rms_norm(x, 0.6)
f_rms_norm(x, 0.9)
f_elu(x, 0.75)
f_elu(x, 0.6)
f_elu(x, 0.9)
f_softplus(x, 0.75)
f_softplus(x, 0.6)
f_softplus(x, 0.9)
f_hardtanh(x, 0.75)
f_hardtanh(x, 0.6)
f_hardtanh(x, 0.9)
