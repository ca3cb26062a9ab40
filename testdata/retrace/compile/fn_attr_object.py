import torch

class Op:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x):
        return self.fn(x)

@torch.compile(backend="eager")
def f(x, op):
    return op(x) + 1

x = torch.ones(3)
f(x, Op(torch.sin))
f(x, Op(torch.cos))
f(x, Op(torch.sin))
f(x, Op(lambda t: t * 2))
f(x, Op(lambda t: t * 3))
