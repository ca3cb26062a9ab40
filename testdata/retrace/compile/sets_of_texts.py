"""A set of numbers and texts is guarded as a whole, after what is looked for in it."""
import torch


@torch.compile(backend="eager")
def f(x, s):
    if "a" in s:
        return x + 1
    return x - 1


@torch.compile(backend="eager")
def g(x, s):
    if "a" in s:
        return x + 1
    return x - 1


x = torch.ones(3)
f(x, {"a"})
f(x, {"a"})
f(x, {"a", "b"})
f(x, {"a", "c"})
f(x, {"c"})
g(x, {"c", "d"})
g(x, {"c"})
g(x, {"c", "d", "e"})
g(x, {"c", "a", "e"})
g(x, {"a", "e"})
