"""A layer over windows asks its result to be no 1."""
import torch
from torch import nn
from torch.export import Dim
net = nn.Sequential(nn.Conv1d(3, 4, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1)).eval()
ep = torch.export.export(net, (torch.ones(2, 3, 16),), dynamic_shapes=({0: Dim.AUTO, 2: Dim.AUTO},))
