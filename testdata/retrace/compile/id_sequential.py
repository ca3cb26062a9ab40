"""nn.Sequential of blocks that do nothing."""
import torch
import torch.nn as nn
class Block(nn.Module):
    def forward(self, x):
        if self.training:
            return x * 2
        return x
net = nn.Sequential(Block(), nn.Identity(), Block()).eval()
f = torch.compile(net, backend="eager")
x = torch.ones(1, 3)
f(x)
f(x)
net.train()
f(x)
