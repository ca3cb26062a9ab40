"""Another inner function after the limit."""
import torch
torch._dynamo.config.recompile_limit = 2
def g(x):
    return x * 2
def h(x):
    return x * 3
@torch.compile(backend="eager")
def f(x, s):
    if s == "d":
        return h(x)
    return g(x) + len(s)
x = torch.ones(3)
for s in ("a", "bb", "c", "d", "e", "a", "d"):
    f(x, s)
