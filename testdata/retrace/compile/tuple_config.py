import torch
from collections import namedtuple

Cfg = namedtuple("Cfg", "k s p")

@torch.compile(backend="eager")
def f(x, cfg):
    return torch.nn.functional.max_pool1d(x, cfg.k, cfg.s, cfg.p)

x = torch.ones(1, 2, 12)
f(x, Cfg(2, 2, 0))
f(x, Cfg(3, 2, 0))
f(x, Cfg(3, 2, 1))
f(x, Cfg(2, 2, 0))
f(torch.ones(1, 2, 14), Cfg(2, 2, 0))
f(torch.ones(1, 2, 15), Cfg(2, 2, 0))
