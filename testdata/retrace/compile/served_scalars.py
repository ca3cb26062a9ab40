"""numbers, texts and None as arguments"""
import torch

@torch.compile
def f(x, n, mode, bias):
    if mode == "relu":
        x = torch.relu(x)
    if bias is not None:
        x = x + bias
    return x.sum(n)

a = torch.ones(4, 8)
f(a, 0, "relu", None)
f(a, 0, "relu", None)
f(a, 1, "relu", None)
f(a, 1, "relu", None)
f(a, 0, "none", None)
f(a, 0, "relu", torch.ones(8))
f(a, 0, "relu", None)
