"""x"""
import torch
import torch.nn.functional as F

@torch.compile
def f(x, p):
    return F.dropout(x, p)
for p in [0.1, 0.2, 0.3]:
    f(torch.ones(6), p)
