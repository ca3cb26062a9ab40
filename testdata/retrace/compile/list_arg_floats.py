"""Floats in a list become symbols one by one."""
import torch

@torch.compile
def f(x, ws):
    for w in ws:
        x = x * w
    return x
f(torch.ones(2), [1.0, 2.0])
f(torch.ones(2), [1.0, 3.0])
f(torch.ones(2), [1.0, 4.0])
f(torch.ones(2), [5.0, 4.0])
f(torch.ones(2), [6.0, 4.0])
