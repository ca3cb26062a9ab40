"""torch._dynamo.reset forgets everything."""
import torch

@torch.compile
def f(x):
    return x + 1

f(torch.ones(2))
f(torch.ones(2))
torch._dynamo.reset()
f(torch.ones(2))
f(torch.ones(3))
