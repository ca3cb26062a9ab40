"""Only keys read are guarded"""
import torch
from torch import nn
@torch.compile
def f(d, x):
    return x * d["a"]

x = torch.ones(2)
f({"a": 1, "b": 2}, x)
f({"a": 1, "b": 3}, x)
f({"a": 2, "b": 3}, x)
f({"a": 3}, x)
