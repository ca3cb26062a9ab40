import torch

class Cfg:
    gain = 2
    flag = True

cfg = Cfg()

@torch.compile(backend="eager")
def f(x, c):
    if c.flag:
        return x * c.gain
    return x

x = torch.ones(3)
f(x, cfg)
Cfg.gain = 3
f(x, cfg)
cfg.gain = 4
f(x, cfg)
cfg.gain = 5
f(x, cfg)
cfg.flag = False
f(x, cfg)
Cfg.flag = False
f(x, cfg)
f(x, Cfg())
