"""A copy in the order that a tensor has compares its strides: the last axis is longer than 1."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim, export


class Net(nn.Module):
    def __init__(self, f, stride=2):
        super().__init__()
        self.c = nn.Conv2d(3, 4, 3 if stride == 2 else 4, stride=stride, padding=1 if stride == 2 else 0)
        self.f = f

    def forward(self, x):
        return self.f(self.c(x))


A = Dim.AUTO
x = torch.rand(2, 3, 64, 96)
shapes = ({0: A, 2: A, 3: A},)
export(Net(lambda y: F.relu6(y, inplace=True)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: F.relu(y, inplace=True)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: F.silu(y, inplace=True)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: F.silu(y)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: F.hardswish(y, inplace=True)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: F.leaky_relu(y, inplace=True)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.clamp_(0, 1)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.clone()), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.clone(), 4), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.to(torch.float64)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.to(torch.float32)), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.double()), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.flatten(2).clone()), (x,), dynamic_shapes=shapes)
export(Net(lambda y: y.mean(3).clone()), (x,), dynamic_shapes=shapes)
