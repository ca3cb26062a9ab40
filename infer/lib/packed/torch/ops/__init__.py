# This file is torch.ops. The operators of aten are the functions of torch; those of other
# libraries are what torch.library made, or records. Libraries are not loaded.
import _shapecheck
import torch

loaded_libraries = set()
made = {}


def load_library(path):
    pass


def import_module(module):
    pass


class OpOverload:
    """An operator, which is its own overloads."""

    def __init__(self, name, fn):
        self._name, self._fn, self.__name__, self._qualname = name, fn, name.split('::')[-1], name

    def __call__(self, *args, **kwargs):
        return self._fn(*args, **kwargs)

    def overloads(self):
        return ['default']

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self


class _Namespace:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        fn = made.get(self._name + '::' + name)
        if fn is None:
            return _shapecheck.unknown(f'no rule for torch.ops.{self._name}.{name}')
        return OpOverload(self._name + '::' + name, fn)


# The operators of Python that are packets: __and__, __iand__ and so on.
_OPERATORS = [f'__{place}{name}__' for name in ('and', 'or', 'xor', 'lshift', 'rshift') for place in ('', 'i')]


class _Aten:
    def __getattr__(self, name):
        if name.startswith('__') and name not in _OPERATORS:
            raise AttributeError(name)
        from .. import _aten
        places = [(_aten, ''), (torch, ''), (torch.nn.functional, ''), (torch.Tensor, ''), (torch.linalg, 'linalg_'), (torch.fft, 'fft_'),
                  (torch.special, 'special_')]
        for place, prefix in places:
            fn = getattr(place, name[len(prefix):], None) if name.startswith(prefix) else None
            if fn is not None and not _shapecheck.is_unknown(fn):
                return OpOverload(name, fn)
        return _shapecheck.unknown('no rule for torch.ops.aten.' + name)


def __getattr__(name):
    if name == 'aten':
        return _Aten()
    if any([key.startswith(name + '::') for key in made]):
        return _Namespace(name)
    raise AttributeError(f"module 'torch.ops' has no attribute {name!r}")
