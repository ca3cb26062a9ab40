"""An if over a tensor within a while over one."""
import torch

@torch.compile
def f(x):
    while x.sum() > 2:
        if x.max() > 3:
            x = x / 4
        else:
            x = x / 2
    return x * 2
f(torch.ones(4))
f(torch.ones(4))
f(torch.ones(5))
