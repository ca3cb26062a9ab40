"""A way of torch.cond that gives a view of what it closes over is refused, a copy is not."""
import torch
from torch import nn

class View(nn.Module):
    def forward(self, x):
        return torch.cond(x.max() > 1, lambda: x.view(3, 1), lambda: x[:, None] * 2, ()) * 3

class Copy(nn.Module):
    def forward(self, x):
        return torch.cond(x.max() > 1, lambda: x.view(3, 1).clone(), lambda: x[:, None] * 2, ()) * 3

torch.export.export(Copy(), (torch.ones(3),))
torch.export.export(View(), (torch.ones(3),))
