"""A branch on half a size."""
import torch
from torch.export import Dim, export
class M(torch.nn.Module):
    def forward(self, x):
        n = x.shape[1] // 2
        return x[:, :n] + x[:, n:2 * n]
ep = export(M(), (torch.ones(4, 8),), dynamic_shapes={"x": {0: Dim("B"), 2: Dim("N")}})
ep.module()(torch.ones(3, 10))
ep.module()(torch.ones(3, 9))
