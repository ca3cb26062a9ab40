"""SequentialLR: a warm-up and a decay."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR

opt = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
sched = SequentialLR(opt, [ConstantLR(opt, factor=0.5, total_iters=2), ExponentialLR(opt, gamma=0.9)], milestones=[2])

def step(x):
    opt.step()
    sched.step()
    return x * sched.get_last_lr()[0]

net = step
inputs = (torch.ones(2),)
