"""self attention"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.o = nn.Linear(8, 8)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(8, 2)
        q = q.view(B, T, 2, 4).transpose(1, 2)
        k = k.view(B, T, 2, 4).transpose(1, 2)
        v = v.view(B, T, 2, 4).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(B, T, C))

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5, 8),), dynamic_shapes={"x": {0: Dim("B"), 1: Dim("T")}})
m = ep.module()
try:
    m(torch.ones(3, 9, 8))
except Exception as e:
    print(type(e).__name__)
