import torch

class Cfg:
    gain = 2

@torch.compile(backend="eager")
def f(x, c):
    return x * getattr(c, "gain", 1) + getattr(c, "bias", 0)

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
