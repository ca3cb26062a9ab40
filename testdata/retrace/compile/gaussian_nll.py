"""gaussian_nll_loss under torch.compile."""
import torch
from torch import nn
import torch.nn.functional as F

@torch.compile
def f(x, t, v):
    return F.gaussian_nll_loss(x, t, v)

f(torch.ones(4, 3), torch.zeros(4, 3), torch.ones(4, 3))
f(torch.ones(5, 3), torch.zeros(5, 3), torch.ones(5, 3))
f(torch.ones(6, 3), torch.zeros(6, 3), torch.ones(6, 3))
