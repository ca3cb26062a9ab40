"""A global counter compiles at each call."""
import torch

n = 0

@torch.compile
def f(x):
    global n
    n += 1
    return x + 1

for _ in range(4):
    f(torch.ones(2))
print(n)
