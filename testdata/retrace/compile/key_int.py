import torch
D = {1: 2}

@torch.compile(backend="eager")
def f(x, k):
    try:
        v = D[k]
    except KeyError:
        v = 1
    return x * v

x = torch.ones(3)
f(x, 1)
f(x, 2)
D[2] = 5
f(x, 2)
f(x, 3)
