# This file defines layer, group, root-mean-square and local response normalisation.
import _shapecheck
from .. import functional as F
from .module import Module


class LocalResponseNorm(Module):
    """Normalises each place over `size` neighbouring channels."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f'{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}'


class CrossMapLRN2d(LocalResponseNorm):
    """Local response normalisation of a 4-D input."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__(size, alpha, beta, k)

    def forward(self, input):
        assert input.dim() == 4
        input.select(1, 0)
        return input.div(input.pow(2).mul(self.alpha / self.size).add(self.k).pow(self.beta)).contiguous()


class LayerNorm(Module):
    """Normalises over the last axes, whose sizes are normalized_shape."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = _shapecheck.empty_param(self.normalized_shape, dtype, device)
        else:
            self._parameters['weight'] = None
        if elementwise_affine and bias:
            self.bias = _shapecheck.empty_param(self.normalized_shape, dtype, device)
        else:
            self._parameters['bias'] = None
        self.reset_parameters()

    def reset_parameters(self):
        _shapecheck.init('constant', (1.0,), self.weight)
        _shapecheck.init('constant', (0.0,), self.bias)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}'


class GroupNorm(Module):
    """Normalises over groups of channels of (N, C, ...)."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f'num_channels must be divisible by num_groups, but {num_channels} is not divisible by {num_groups}')
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        if affine:
            self.weight = _shapecheck.empty_param((num_channels,), dtype, device)
            self.bias = _shapecheck.empty_param((num_channels,), dtype, device)
        else:
            self._parameters['weight'] = None
            self._parameters['bias'] = None
        self.reset_parameters()

    def reset_parameters(self):
        _shapecheck.init('constant', (1.0,), self.weight)
        _shapecheck.init('constant', (0.0,), self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}'


class RMSNorm(Module):
    """Divides by the root mean square over the last axes."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = _shapecheck.empty_param(self.normalized_shape, dtype, device)
        else:
            self._parameters['weight'] = None
        self.reset_parameters()

    def reset_parameters(self):
        _shapecheck.init('constant', (1.0,), self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}'
