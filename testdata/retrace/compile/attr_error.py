import torch

class C:
    pass

@torch.compile(backend="eager")
def f(x, c):
    try:
        v = c.k
    except AttributeError:
        v = 1
    return x * v

x = torch.ones(3)
a = C()
f(x, a)
a.k = 3
f(x, a)
del a.k
f(x, a)
C.k = 9
f(x, a)
