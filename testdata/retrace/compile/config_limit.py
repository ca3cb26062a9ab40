"""Another recompile limit."""
import torch

torch._dynamo.config.recompile_limit = 2

@torch.compile(dynamic=False)
def f(x):
    return x * 2

for n in [2, 3, 4, 2, 5]:
    f(torch.ones(n))
