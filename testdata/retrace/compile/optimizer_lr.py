"""a number of a param group"""
import torch
from torch import nn
state = {"lr": 0.1}

@torch.compile
def update(p, g):
    return p - state["lr"] * g

for lr in [0.1, 0.05, 0.025]:
    state["lr"] = lr
    update(torch.ones(2), torch.ones(2))
