"""a list in dynamic_shapes is too short"""
import torch
from torch.export import Dim, export


class M(torch.nn.Module):
    def forward(self, x, y=None, *, z=None):
        return x + 1 if y is None else x + y


class N(torch.nn.Module):
    def forward(self, xs, d):
        return xs[0] + d["a"]


x = torch.rand(3, 4)
A = Dim.AUTO
ep = export(N(), ([x, x], {'a': x}), dynamic_shapes=([{0: A}], {'a': {0: A}}))
