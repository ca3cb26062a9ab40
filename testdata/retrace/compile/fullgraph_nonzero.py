"""fullgraph=True: nonzero."""
import torch

@torch.compile(fullgraph=True)
def f(x):
    return torch.nonzero(x)

try:
    f(torch.ones(2))
except Exception as e:
    print(type(e).__name__)
