import torch

def helper(x, n, m):
    print("n", n)
    return x

@torch.compile
def f(x, n, m):
    return helper(x, n, m) + 1

x = torch.ones(3)
f(x, 2, 1)
f(x, 2, 2)
f(x, 3, 2)
