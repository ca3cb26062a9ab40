"""torch.compile of a lambda"""
import torch
from torch import nn
f = torch.compile(lambda x: x * 2)
f(torch.ones(2))
f(torch.ones(3))
g = torch.compile(lambda x: x + 2)
g(torch.ones(2))
