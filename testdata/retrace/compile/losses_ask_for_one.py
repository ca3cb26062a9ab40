import torch
import torch.nn.functional as F


@torch.compile(backend="eager")
def mse(x):
    return F.mse_loss(x[1:], x[1:] * 2)


@torch.compile(backend="eager")
def huber(x):
    return F.huber_loss(x[1:], x[:-1])


@torch.compile(backend="eager")
def classes(x, t):
    return F.cross_entropy(x[1:], t[1:])


@torch.compile(backend="eager")
def nll(x, t):
    return F.nll_loss(x[1:], t[1:])


@torch.compile(backend="eager")
def similarity(x):
    return F.cosine_similarity(x[1:], x[:-1]).sum()


@torch.compile(backend="eager")
def whole(x):
    return F.mse_loss(x, x * 2)


for n in (5, 6, 7, 2, 3):
    x, t = torch.rand(n, 4), torch.zeros(n, dtype=torch.long)
    mse(x)
    huber(x)
    classes(x, t)
    nll(x, t)
    similarity(x)
    whole(x)
