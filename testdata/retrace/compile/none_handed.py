import torch

def helper(x, mask):
    return x

@torch.compile
def f(x, mask):
    return helper(x, mask)

x = torch.ones(3)
f(x, None)
f(x, 3)
f(x, torch.ones(3))
f(x, torch.ones(4))
