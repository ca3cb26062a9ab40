import torch

@torch.compile(backend="eager")
def f(x, d):
    try:
        v = d["b"]
    except KeyError:
        v = 1.0
    return x * v

x = torch.ones(3)
f(x, {"a": 1.0})
f(x, {"b": 1.0})
f(x, {"a": 1.0})
f(x, {"b": 3.0})
f(x, {"b": 4.0})
f(x, {})
