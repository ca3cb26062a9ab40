# This file defines spectral_norm: the weight is divided by its largest singular
# value, which power iteration estimates with two vectors that are buffers.
import torch
from ..parameter import Parameter


# In training the two vectors change first; that is not followed.
def _divided(weight, u, v, dim, training):
    if training:
        return torch._stand_in(weight, what='spectral_norm in training')
    matrix = weight.permute(dim, *[d for d in range(weight.dim()) if d != dim]) if dim != 0 else weight
    return weight / torch.vdot(u, torch.mv(matrix.flatten(1), v))


class SpectralNorm:
    def __init__(self, name='weight', n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(f'Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}')
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def compute_weight(self, module):
        u, v = getattr(module, self.name + '_u'), getattr(module, self.name + '_v')
        return _divided(getattr(module, self.name + '_orig'), u, v, self.dim, module.training)

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module):
        weight = self.compute_weight(module)
        delattr(module, self.name)
        delattr(module, self.name + '_u')
        delattr(module, self.name + '_v')
        delattr(module, self.name + '_orig')
        module.register_parameter(self.name, Parameter(weight.detach()))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f'Cannot register two spectral_norm hooks on the same parameter {name}')
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f'`SpectralNorm` cannot be applied as parameter `{name}` is None')
        height = weight.size(dim)
        width = weight.numel() // height
        delattr(module, fn.name)
        module.register_parameter(fn.name + '_orig', weight)
        setattr(module, fn.name, weight.data)
        module.register_buffer(fn.name + '_u', torch.empty(height, dtype=weight.dtype))
        module.register_buffer(fn.name + '_v', torch.empty(width, dtype=weight.dtype))
        module.register_forward_pre_hook(fn)
        return fn


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        kind = type(module).__name__
        dim = 1 if kind in ('ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d') else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module, name='weight'):
    for k, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[k]
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
