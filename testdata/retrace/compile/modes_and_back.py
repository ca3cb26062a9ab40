"""Grad mode, inference mode, autocast, default dtype; the old graph serves again."""
import torch
@torch.compile(backend="eager")
def f(x):
    return x @ x
x = torch.ones(3, 3)
f(x)
with torch.no_grad():
    f(x)
with torch.inference_mode():
    f(x)
with torch.autocast("cpu", dtype=torch.bfloat16):
    f(x)
f(x)
torch.set_default_dtype(torch.float64)
f(x)
torch.set_default_dtype(torch.float32)
f(x)
