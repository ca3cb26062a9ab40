"""axes marked between calls"""
import torch
import torch._dynamo

@torch.compile
def f(x):
    return x * 2

a = torch.ones(4, 3)
f(a)
f(a)
torch._dynamo.mark_dynamic(a, 0)
f(a)
f(a)
f(torch.ones(5, 3))
