"""Padding for windows with two conditions."""
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ws = 4

    def forward(self, x):
        b, h, w, c = x.shape
        ph = (self.ws - h % self.ws) % self.ws
        pw = (self.ws - w % self.ws) % self.ws
        if ph > 0 or pw > 0:
            x = F.pad(x, (0, 0, 0, pw, 0, ph))
        return x.view(b, x.shape[1] // self.ws, self.ws, x.shape[2] // self.ws, self.ws, c)

net = Net().eval()
inputs = (torch.rand(1, 8, 8, 2),)
others = [(torch.rand(1, 6, 8, 2),)]
