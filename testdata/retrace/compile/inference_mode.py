import torch

@torch.compile(backend="eager")
def f(x):
    return x * 2 + 1

with torch.inference_mode():
    a = torch.ones(3)
    f(a)
f(torch.ones(3))
with torch.inference_mode():
    f(torch.ones(3))
    f(a)
f(a)
with torch.no_grad():
    f(torch.ones(3))
