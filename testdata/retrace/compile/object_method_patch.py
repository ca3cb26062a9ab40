import torch

class Op:
    def scale(self, x):
        return x * 2

@torch.compile(backend="eager")
def f(x, op):
    return op.scale(x)

x = torch.ones(3)
a = Op()
f(x, a)
f(x, Op())
a.scale = torch.sin
f(x, a)
a.scale = torch.cos
f(x, a)
f(x, Op())
Op.scale = lambda self, x: x * 5
f(x, Op())
f(x, a)
