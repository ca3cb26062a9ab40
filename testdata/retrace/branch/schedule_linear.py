"""LinearLR warm-up."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

opt = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
sched = LinearLR(opt, start_factor=0.5, total_iters=3)

def step(x):
    opt.step()
    sched.step()
    return x * sched.get_last_lr()[0]

net = step
inputs = (torch.ones(2),)
