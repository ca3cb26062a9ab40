import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
c = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
c(x)
net[1] = nn.Tanh()
c(x)
net.append(nn.Linear(3, 3))
c(x)
net[0] = nn.Linear(3, 3)
c(x)
net[0].weight = nn.Parameter(torch.zeros(3, 3))
c(x)
net[0].bias = None
c(x)
