# This file defines the padding layers. A padding is written as F.pad reads it:
# (left, right) of the last axis first; one number stands for all.
from .. import functional as F
from .module import Module
from .utils import _wrong_rank


class _Pad(Module):
    _sides = 2
    _mode = 'constant'

    def __init__(self, padding):
        super().__init__()
        self.padding = tuple(padding) if hasattr(padding, '__iter__') else (padding,) * self._sides

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f'{self.padding}'


class _ConstantPadNd(_Pad):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, 'constant', self.value)

    def extra_repr(self):
        return f'padding={self.padding}, value={self.value}'


class ConstantPad1d(_ConstantPadNd):
    pass


class ConstantPad2d(_ConstantPadNd):
    _sides = 4


class ConstantPad3d(_ConstantPadNd):
    _sides = 6


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)


class _ReflectionPadNd(_Pad):
    _mode = 'reflect'


class ReflectionPad1d(_ReflectionPadNd):
    pass


class ReflectionPad2d(_ReflectionPadNd):
    _sides = 4


class ReflectionPad3d(_ReflectionPadNd):
    _sides = 6


class _ReplicationPadNd(_Pad):
    _mode = 'replicate'


class ReplicationPad1d(_ReplicationPadNd):
    pass


class ReplicationPad2d(_ReplicationPadNd):
    _sides = 4


class ReplicationPad3d(_ReplicationPadNd):
    _sides = 6


class _CircularPadNd(_Pad):
    _mode = 'circular'
    _ranks = (2, 3)

    def _check_input_dim(self, input):
        if input.dim() not in self._ranks:
            raise _wrong_rank(ValueError, f'expected {self._ranks[0]}D or {self._ranks[1]}D input (got {input.dim()}D input)')

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, 'circular')


class CircularPad1d(_CircularPadNd):
    pass


class CircularPad2d(_CircularPadNd):
    _sides = 4
    _ranks = (3, 4)


class CircularPad3d(_CircularPadNd):
    _sides = 6
    _ranks = (4, 5)
