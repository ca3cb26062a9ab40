import torch
D = {"a": 2.0}

@torch.compile(backend="eager")
def f(x, k):
    try:
        v = D[k]
    except KeyError:
        v = 1.0
    return x * v

x = torch.ones(3)
f(x, "b")
D["b"] = 5.0
f(x, "b")
del D["b"]
f(x, "b")
