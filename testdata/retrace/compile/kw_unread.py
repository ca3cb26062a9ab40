import torch

def helper(x, **options):
    return x * 2

@torch.compile
def f(x, scale):
    return helper(x, scale=scale)

x = torch.ones(3)
f(x, 1)
f(x, 2)
f(x, 3.5)
f(x, "a")
