"""gaussian_nll_loss, fullgraph."""
import torch
from torch import nn
import torch.nn.functional as F

@torch.compile(fullgraph=True)
def f(x, t, v):
    return F.gaussian_nll_loss(x, t, v)

f(torch.ones(4, 3), torch.zeros(4, 3), torch.ones(4, 3))
