"""a training loop with a smaller last batch"""
import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
step = torch.compile(net)
data = torch.ones(10, 4)
for epoch in range(2):
    for i in range(0, 10, 4):
        step(data[i:i + 4])
