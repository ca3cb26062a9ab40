"""train and eval with batch norm."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.1))
c = torch.compile(net, backend="eager")
c(torch.ones(4, 3))
net.eval()
c(torch.ones(4, 3))
net.train()
c(torch.ones(4, 3))
c(torch.ones(6, 3))
