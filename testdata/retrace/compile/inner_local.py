"""A function inside reads what its function computed."""
import torch
@torch.compile(backend="eager")
def f(x, n):
    k = n + 1
    def g(y):
        if k > 3:
            return y * k
        return y
    return g(x)
@torch.compile(backend="eager")
def h(x, scale):
    names = ["a", "b"]
    def pick(i):
        return names[i]
    if pick(0) == "a":
        return x * scale
    return x
@torch.compile(backend="eager")
def w(x, n):
    m = x.shape[0]
    return [x[i] * m for i in range(n)]
x = torch.ones(5)
for n in range(6):
    f(x, n)
h(x, 1.0)
h(x, 2.0)
h(x, 3.0)
w(x, 2)
w(x, 3)
w(torch.ones(6), 3)
w(torch.ones(7), 4)
