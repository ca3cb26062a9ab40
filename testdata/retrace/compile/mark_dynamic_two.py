"""mark_dynamic on two dims."""
import torch

@torch.compile(backend="eager")
def f(x):
    return x.sum(0)

x = torch.ones(4, 6)
torch._dynamo.mark_dynamic(x, 0)
torch._dynamo.mark_dynamic(x, 1)
f(x)
f(torch.ones(5, 7))
f(torch.ones(1, 7))
f(torch.ones(5, 1))
