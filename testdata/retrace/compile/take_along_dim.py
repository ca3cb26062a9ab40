import torch
import torch.nn.functional as F


@torch.compile(backend="eager")
def f(x):
    return torch.take_along_dim(x[1:], torch.zeros(x.shape[0] - 1, 1, dtype=torch.long), 1)


f(torch.rand(5, 4))
f(torch.rand(6, 4))
f(torch.rand(7, 4))
f(torch.rand(2, 4))
f(torch.rand(3, 4))
