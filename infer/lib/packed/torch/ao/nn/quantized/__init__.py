# This file is torch.ao.nn.quantized. Quantised layers are modelled as the float
# layers that they stand for.
import torch
from ....nn.modules.conv import Conv1d, Conv2d, Conv3d
from ....nn.modules.linear import Identity, Linear
from ....nn.modules.module import Module


class FloatFunctional(Module):
    """Operators as methods, each followed by an observer."""

    __module__ = 'torch.ao.nn.quantized.modules.functional_modules'

    def __init__(self):
        super().__init__()
        self.activation_post_process = Identity()

    def forward(self, x):
        raise RuntimeError('FloatFunctional is not intended to use the forward. Please use the corresponding operation')

    def add(self, x, y):
        return self.activation_post_process(torch.add(x, y))

    def add_scalar(self, x, y):
        return torch.add(x, y)

    def mul(self, x, y):
        return self.activation_post_process(torch.mul(x, y))

    def mul_scalar(self, x, y):
        return torch.mul(x, y)

    def cat(self, x, dim=0):
        return self.activation_post_process(torch.cat(x, dim=dim))

    def add_relu(self, x, y):
        return self.activation_post_process(torch.nn.functional.relu(torch.add(x, y)))

    def matmul(self, x, y):
        return self.activation_post_process(torch.matmul(x, y))


class FXFloatFunctional(FloatFunctional):
    pass


class QFunctional(FloatFunctional):
    pass


class Quantize(Module):
    def __init__(self, scale, zero_point, dtype, factory_kwargs=None):
        super().__init__()

    def forward(self, X):
        return X


class DeQuantize(Module):
    def forward(self, Xq):
        return Xq
