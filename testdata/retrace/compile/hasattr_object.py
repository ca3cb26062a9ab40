import torch

class Cfg:
    gain = 2

@torch.compile(backend="eager")
def f(x, c):
    if hasattr(c, "gain"):
        x = x + 1
    if hasattr(c, "bias"):
        x = x * 2
    return x

x = torch.ones(3)
a = Cfg()
f(x, a)
b = Cfg()
b.gain = 5
f(x, b)
b.bias = 2
f(x, b)
Cfg.gain = 9
f(x, a)
Cfg.bias = 9
f(x, a)
f(x, b)
