"""a dict argument"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, d):
        return d["a"] + d["b"]

net = Net().eval()
try:
    torch.export.export(net, ({"a": torch.ones(3), "b": torch.ones(3)},), dynamic_shapes={"d": {"a": {0: Dim("S")}, "b": {0: Dim("S")}}})
except Exception as e:
    print(type(e).__name__)
