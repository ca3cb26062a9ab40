"""Functions inside of a function read its numbers."""
import torch
@torch.compile(backend="eager")
def f(x, n):
    k = n * 2
    def g(y):
        return y * k
    return g(x)
@torch.compile(backend="eager")
def h(x, n):
    def g(y):
        return y * n
    return g(x)
@torch.compile(backend="eager")
def q(xs, n):
    def gen():
        for x in xs:
            yield x * n
    return sum(gen())
@torch.compile(backend="eager")
def r(xs, n):
    return sum(map(lambda x: x * n, xs))
x = torch.ones(3)
for n in (1, 2, 3, 4):
    f(x, n)
for n in (1, 2, 3, 4):
    h(x, n)
for n in (1, 2, 3, 4):
    q([x, x + 1], n)
for n in (1, 2, 3, 4):
    r([x, x + 1], n)
