import torch

helper = lambda x, *rest: x * sum(rest)

@torch.compile
def f(x, a, b):
    return helper(x, a, b)

x = torch.ones(3)
f(x, 2, 1)
f(x, 2, 2)
