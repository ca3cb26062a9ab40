"""getattr with a default."""
import torch
class Cfg:
    pass
@torch.compile(backend="eager")
def f(x, cfg):
    return x * getattr(cfg, "scale", 1)
x = torch.ones(3)
c = Cfg()
f(x, c)
f(x, c)
c.scale = 2
f(x, c)
c.scale = 3
f(x, c)
c.other = 3
f(x, c)
del c.scale
f(x, c)
