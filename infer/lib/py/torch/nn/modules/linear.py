# This file defines the linear layers.
import _shapecheck
from .. import functional as F
from ..parameter import UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

# What PyTorch passes to kaiming_uniform_ for a=sqrt(5): the gain and the mode.
_DEFAULT = ((1 / 3) ** 0.5, 'fan_in')



class Identity(Module):
    """Returns its input; takes any arguments."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    """x @ weight.T + bias over the last axis."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = _shapecheck.empty_param((out_features, in_features), dtype, device)
        if bias:
            self.bias = _shapecheck.empty_param((out_features,), dtype, device)
        else:
            self._parameters['bias'] = None
        self.reset_parameters()

    def reset_parameters(self):
        _shapecheck.init('kaiming_uniform', _DEFAULT, self.weight)
        if self.bias is not None:
            _shapecheck.init('uniform_fan', (self.weight,), self.bias)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f'in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}'


class NonDynamicallyQuantizableLinear(Linear):
    pass


class Bilinear(Module):
    """x1 @ weight[k] @ x2 + bias[k] over the last axes."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = _shapecheck.empty_param((out_features, in1_features, in2_features), dtype, device)
        if bias:
            self.bias = _shapecheck.empty_param((out_features,), dtype, device)
        else:
            self._parameters['bias'] = None
        self.reset_parameters()

    def reset_parameters(self):
        if self.in1_features == 0:
            raise ZeroDivisionError('float division by zero')
        bound = self.in1_features ** -0.5
        _shapecheck.init('uniform', (-bound, bound), self.weight, self.bias)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f'in1_features={self.in1_features}, in2_features={self.in2_features}, '
                f'out_features={self.out_features}, bias={self.bias is not None}')


class LazyLinear(LazyModuleMixin, Linear):
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
