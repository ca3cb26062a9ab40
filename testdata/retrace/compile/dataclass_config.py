"""a configuration object"""
import torch
from torch import nn
from dataclasses import dataclass

@dataclass
class Config:
    scale: float = 1.0
    layers: int = 2

@torch.compile
def f(x, cfg):
    for _ in range(cfg.layers):
        x = x * cfg.scale
    return x

x = torch.ones(2)
f(x, Config())
f(x, Config())
f(x, Config(2.0))
f(x, Config(3.0))
f(x, Config(3.0, 3))
