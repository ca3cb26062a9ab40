import torch
import torch.nn.functional as F


@torch.compile(backend="eager")
def first(x):
    return x[1:][None]


@torch.compile(backend="eager")
def middle(x):
    return x[1:, None, :]


@torch.compile(backend="eager")
def last(x):
    return x[1:][..., None]


@torch.compile(backend="eager")
def one_hot(t):
    return F.one_hot(t[1:], 3)


@torch.compile(backend="eager")
def gathered(x):
    return x[1:].gather(1, torch.zeros(x.shape[0] - 1, 1, dtype=torch.long))


@torch.compile(backend="eager")
def whole(x):
    return torch.bmm(x[None], x[None].transpose(1, 2))


for n in (5, 6, 7, 2, 3):
    x, t = torch.rand(n, 4), torch.zeros(n, dtype=torch.long)
    first(x)
    middle(x)
    last(x)
    one_hot(t)
    gathered(x)
    whole(x)
