"""BatchNorm in training mode."""
import torch
from torch import nn

net = torch.compile(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU()))
net(torch.ones(8, 3))
net(torch.ones(8, 3))
net(torch.ones(5, 3))
net.eval()
net(torch.ones(5, 3))
