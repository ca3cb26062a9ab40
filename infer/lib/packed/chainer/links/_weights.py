# This file holds what links with weights share.
import numpy
from chainer import Parameter, initializers


def pair(x):
    return tuple(x) if hasattr(x, '__getitem__') else (x, x)


def several(x, n):
    if hasattr(x, '__getitem__'):
        if len(x) != n:
            raise ValueError('%s must have %d elements' % (x, n))
        return tuple(x)
    return (x,) * n


def size_of(shape):
    n = 1
    for d in shape:
        n = n * d
    return n


def weight(initializer):
    """A parameter that waits for its shape."""
    return Parameter(initializers._get_initializer(initializer))


def bias(nobias, initializer, shape=None):
    """A parameter of zeros, or None without a bias."""
    if nobias:
        return None
    return Parameter(initializers._get_initializer(0 if initializer is None else initializer), shape)


def grouped(out_channels, in_channels, groups):
    if out_channels % groups != 0:
        raise ValueError('the number of output channels must be divisible by the number of groups')
    if in_channels % groups != 0:
        raise ValueError('the number of input channels must be divisible by the number of groups')


def known_keywords(kwargs, *names):
    for name in kwargs:
        if name not in names:
            raise TypeError("unexpected keyword argument '%s'" % name)


def scaled(initializer, default):
    return default if initializer is None else initializer
