"""np.random at trace time."""
import numpy as np
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x * float(np.random.rand())

torch.manual_seed(0)
traced = torch.jit.trace(Net(), (torch.ones(3),), check_trace=False)
traced(torch.ones(3))
traced(torch.ones(4))
