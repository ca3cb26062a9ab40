# This file defines pruning: a weight becomes its original times a mask.
import torch
from ..parameter import Parameter


class BasePruningMethod:
    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module):
        return getattr(module, self._tensor_name + '_orig') * getattr(module, self._tensor_name + '_mask')


def _prune(module, name):
    orig = getattr(module, name)
    if name + '_orig' in module._parameters:
        return module
    method = BasePruningMethod()
    method._tensor_name = name
    del module._parameters[name]
    module.register_parameter(name + '_orig', orig)
    module.register_buffer(name + '_mask', torch.ones_like(orig))
    setattr(module, name, method.apply_mask(module))
    module.register_forward_pre_hook(method)
    return module


def identity(module, name):
    return _prune(module, name)


def random_unstructured(module, name, amount):
    return _prune(module, name)


def l1_unstructured(module, name, amount, importance_scores=None):
    return _prune(module, name)


def random_structured(module, name, amount, dim):
    return _prune(module, name)


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    return _prune(module, name)


def custom_from_mask(module, name, mask):
    return _prune(module, name)


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    for module, name in parameters:
        _prune(module, name)


def remove(module, name):
    for k, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            orig = module._parameters.pop(name + '_orig')
            delattr(module, name)
            del module._buffers[name + '_mask']
            setattr(module, name, orig)
            del module._forward_pre_hooks[k]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    for _, m in module.named_modules():
        for hook in m._forward_pre_hooks.values():
            if isinstance(hook, BasePruningMethod):
                return True
    return False
