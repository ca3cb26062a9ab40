"""A layer more in a Sequential."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
c = torch.compile(net)
c(torch.ones(1, 2))
net.append(nn.Linear(2, 2))
c(torch.ones(1, 2))
c(torch.ones(3, 2))
c(torch.ones(4, 2))
