"""LambdaLR: a function of the epoch."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

opt = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
sched = LambdaLR(opt, lr_lambda=lambda e: 1.0 if e < 2 else 0.5)

def step(x):
    opt.step()
    sched.step()
    return x * sched.get_last_lr()[0]

net = step
inputs = (torch.ones(2),)
