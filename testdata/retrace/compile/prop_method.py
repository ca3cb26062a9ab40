import torch

class Cfg:
    def __init__(self, n):
        self.n = n

    def double(self):
        return self.n * 2

@torch.compile(backend="eager")
def f(x, c):
    return x * c.double()

x = torch.ones(3)
f(x, Cfg(1))
f(x, Cfg(2))
f(x, Cfg(3))
f(x, Cfg(4))
