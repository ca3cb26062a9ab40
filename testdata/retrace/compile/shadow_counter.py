import torch

class Count:
    n = 0
    def step(self, x):
        self.n += 1
        return x * 2

@torch.compile(backend="eager")
def f(x, c):
    return c.step(x)

x = torch.ones(3)
a = Count()
f(x, a)
f(x, a)
f(x, a)
f(x, Count())
