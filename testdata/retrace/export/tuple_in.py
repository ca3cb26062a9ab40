"""a tuple argument"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, t):
        return t[0] + t[1].sum()

net = Net().eval()
ep = torch.export.export(net, ((torch.ones(3), torch.ones(4)),), dynamic_shapes={"t": ({0: Dim("S")}, None)})
m = ep.module()
try:
    m((torch.ones(5), torch.ones(4)))
except Exception as e:
    print(type(e).__name__)
try:
    m((torch.ones(5), torch.ones(5)))
except Exception as e:
    print(type(e).__name__)
