"""capture_scalar_outputs without fullgraph"""
import torch
torch._dynamo.config.capture_scalar_outputs = True
@torch.compile(backend="eager")
def f(x):
    n = int(x.sum())
    if n:
        return x * 2
    return x + n
f(torch.ones(3, dtype=torch.int64))
f(torch.zeros(3, dtype=torch.int64))
