"""A counter that a condition reads is guarded by value."""
import torch
n = 0
@torch.compile
def f(x):
    global n
    n += 1
    if n > 10:
        return x
    return x * 2
for _ in range(3):
    f(torch.ones(2))
