"""CosineAnnealingWarmRestarts."""
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts

opt = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
sched = CosineAnnealingWarmRestarts(opt, T_0=2, T_mult=2)

def step(x):
    opt.step()
    sched.step()
    return x * sched.get_last_lr()[0]

net = step
inputs = (torch.ones(2),)
