# This file defines the ready-made parametrizations.
import torch
from .. import functional as F
from ..modules.module import Module
from ..parameter import Parameter
from .parametrize import register_parametrization
from .spectral_norm import _divided
from .weight_norm import _norm, _weight


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map=None, use_trivialization=True):
        super().__init__()
        if use_trivialization:
            self.register_buffer('base', torch.empty_like(weight))

    def forward(self, X):
        return torch._stand_in(X, what='torch.nn.utils.parametrizations.orthogonal')

    def right_inverse(self, Q):
        return Q


def orthogonal(module, name='weight', orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.dim() < 2:
        raise ValueError(f'Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.')
    return register_parametrization(module, name, _Orthogonal(weight, orthogonal_map, use_trivialization), unsafe=True)


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        rank = weight.dim()
        self.dim = dim if dim >= 0 else dim + rank
        self.eps = eps
        if dim >= rank or dim < -rank:
            raise IndexError(f'Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but got {dim})')
        if n_power_iterations <= 0:
            raise ValueError(f'Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}')
        if rank > 1:
            height = weight.size(dim)
            self.register_buffer('_u', torch.empty(height, dtype=weight.dtype))
            self.register_buffer('_v', torch.empty(weight.numel() // height, dtype=weight.dtype))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        return _divided(weight, self._u, self._v, self.dim, self.training)

    def right_inverse(self, value):
        return value


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if type(module).__name__ in ('ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d') else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return _weight(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return _norm(weight, self.dim), weight


def weight_norm(module, name='weight', dim=0):
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
