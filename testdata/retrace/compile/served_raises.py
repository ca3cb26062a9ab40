"""an exception of the program in a call that a graph serves"""
import torch

count = [0]

@torch.compile
def f(x, n):
    return x.reshape(n, -1)

a = torch.ones(4, 3)
f(a, 4)
f(a, 4)
try:
    f(a, 5)
except RuntimeError:
    print("RuntimeError")
f(a, 4)
f(a, 3)
