# This file is torch.nn. The classes stand in modules/, one file per family,
# and are loaded when they are first used.
from . import modules
from .modules import __all__ as _classes
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = list(_classes) + ['Parameter', 'Buffer', 'UninitializedParameter', 'UninitializedBuffer', 'DataParallel']


def __getattr__(name):
    if name in _classes:
        value = getattr(modules, name)
    elif name == 'DataParallel':
        from .parallel import DataParallel as value
    else:
        raise AttributeError(f"module 'torch.nn' has no attribute {name!r}")
    globals()[name] = value
    return value


def factory_kwargs(kwargs):
    if kwargs is None:
        return {}
    expected = {'device', 'dtype', 'memory_format'}
    if not kwargs.keys() <= expected:
        raise TypeError(f'unexpected kwargs {kwargs.keys() - expected}')
    r = dict(kwargs.get('factory_kwargs', {}))
    for k in expected:
        if k in kwargs:
            r[k] = kwargs[k]
    return r
