"""A counter that is kept in a dict is guarded by value."""
import torch
n = 0
log = {}
@torch.compile
def f(x):
    global n
    n += 1
    log["a"] = n
    return x * 2
for _ in range(3):
    f(torch.ones(2))
