import torch

@torch.compile(backend="eager")
def f(x):
    return x * 2

a = torch.ones(3)
f(a)
with torch.inference_mode():
    b = torch.ones(3)
    c = a * 1
    d = a.view(3)
    f(a)
    f(b)
    f(c)
    f(d)
f(b)
f(a)
f(d)
f(b.clone())
with torch.no_grad():
    f(b)
    f(a)
