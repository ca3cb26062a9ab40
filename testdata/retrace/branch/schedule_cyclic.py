"""CyclicLR."""
import torch
from torch import nn
from torch.optim.lr_scheduler import CyclicLR

opt = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
sched = CyclicLR(opt, base_lr=0.01, max_lr=0.1, step_size_up=2)

def step(x):
    opt.step()
    sched.step()
    return x * sched.get_last_lr()[0]

net = step
inputs = (torch.ones(2),)
