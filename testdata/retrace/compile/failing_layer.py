"""A layer that fails."""
import torch
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(5, 2))
m = torch.compile(net, backend="eager")
try:
    m(torch.ones(2, 3))
except RuntimeError:
    print("refused")
