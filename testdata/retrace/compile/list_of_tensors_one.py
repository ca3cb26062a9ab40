"""a list of tensors of which one is read"""
import torch
@torch.compile(backend="eager")
def f(xs):
    return xs[0] * 2
f([torch.ones(2), torch.ones(3)])
f([torch.ones(2), torch.ones(4)])
f([torch.ones(2), torch.ones(4, 4, dtype=torch.int64)])
f([torch.ones(2), None])
