"""divmod of sizes."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        q, r = divmod(x.shape[0], 4)
        if r:
            x = x[: q * 4]
        return x.reshape(-1, 4)

net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(8),))
traced(torch.rand(12))
traced(torch.rand(9))
