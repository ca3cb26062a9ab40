import torch
@torch.compile(fullgraph=True)
def f(x):
    k = x.sum().item()
    return x if k > 0 else x * 2

try:
    f(torch.randn(2))
except Exception:
    pass
