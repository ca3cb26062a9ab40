"""a list in a dict"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    return x * cfg["a"][0]
x = torch.ones(3)
f(x, {"a": [1, 2], "b": 3})
f(x, {"a": [1, 3], "b": 3})
f(x, {"a": [1, 3, 4], "b": 3})
f(x, {"a": [2, 3, 4], "b": 3})
