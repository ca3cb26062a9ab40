import torch
import torch.nn.functional as F


@torch.compile(backend="eager")
def batches(x):
    return torch.bmm(x[1:][None], x[1:][None].transpose(1, 2))


@torch.compile(backend="eager")
def matrices(x):
    return x[1:] @ x[1:].t()


@torch.compile(backend="eager")
def vector(x):
    return x[1:] @ torch.ones(4)


@torch.compile(backend="eager")
def left(x):
    return torch.ones(4) @ x[1:].t()


@torch.compile(backend="eager")
def vectors(x):
    return x[1:, 0] @ x[1:, 1]


@torch.compile(backend="eager")
def biased(x):
    return F.linear(x[1:], torch.ones(2, 4), torch.ones(2))


@torch.compile(backend="eager")
def plain(x):
    return F.linear(x[1:], torch.ones(2, 4))


@torch.compile(backend="eager")
def batched(x):
    return F.linear(x[1:].reshape(1, -1, 4), torch.ones(2, 4), torch.ones(2))


for n in (5, 6, 7, 2, 3):
    x, t = torch.rand(n, 4), torch.zeros(n, dtype=torch.long)
    batches(x)
    matrices(x)
    vector(x)
    left(x)
    vectors(x)
    biased(x)
    plain(x)
    batched(x)
