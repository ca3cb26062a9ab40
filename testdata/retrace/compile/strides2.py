"""Transposed tensors: strides are numbers, products of sizes, or open."""
import torch
@torch.compile
def f(x):
    return x * 2
f(torch.ones(4, 6))
f(torch.ones(6, 4).t())
f(torch.ones(8, 6).t())
f(torch.ones(8, 8).t())
f(torch.ones(3, 5, 7).transpose(0, 1))
f(torch.ones(3, 5, 7))
f(torch.ones(4, 12)[:, ::2])
