"""training and evaluation"""
import torch
from torch import nn
net = nn.Linear(2, 2)
c = torch.compile(net)
x = torch.ones(3, 2)
c(x)
net.eval()
with torch.no_grad():
    c(x)
net.train()
c(x)
