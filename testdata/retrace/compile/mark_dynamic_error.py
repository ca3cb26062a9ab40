"""mark_dynamic where the code fixes the size."""
import torch

@torch.compile
def f(x):
    if x.shape[0] == 4:
        return x * 2
    return x

x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
try:
    f(x)
except Exception as e:
    print(type(e).__name__)
