"""while over a tensor breaks inside a loop: eager."""
import torch

@torch.compile
def f(x):
    while x.sum() > 1:
        x = x / 2
    return x

f(torch.ones(4))
f(torch.ones(4))
f(torch.ones(5))
