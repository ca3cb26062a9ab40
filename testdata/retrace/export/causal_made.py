"""a mask made of the length"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        T = x.shape[1]
        m = torch.tril(torch.ones(T, T))
        return (x @ x.transpose(1, 2)).masked_fill(m == 0, float("-inf")).softmax(-1) @ x

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5, 4),), dynamic_shapes={"x": {1: Dim("T")}})
m = ep.module()
try:
    m(torch.ones(2, 9, 4))
except Exception as e:
    print(type(e).__name__)
