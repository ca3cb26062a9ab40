# This file holds small functions that programs of Chainer use.
import contextlib
import numpy
import _shapecheck
from . import type_check


def size_of_shape(shape):
    n = 1
    for d in shape:
        n = n * d
    return n


def force_array(x, dtype=None):
    if not isinstance(x, numpy.ndarray):
        x = numpy.asarray(x)
    return x if dtype is None else x.astype(dtype)


def force_type(dtype, value):
    return numpy.asarray(value).astype(dtype)


def get_conv_outsize(size, k, s, p, cover_all=False, d=1):
    """The number of windows of k, with gaps of d, by steps of s."""
    room = size + p * 2 - (k + (k - 1) * (d - 1))
    if cover_all:
        room += s - 1
    return room // s + 1


def get_deconv_outsize(size, k, s, p, cover_all=False, d=1):
    """The size of which get_conv_outsize gives size."""
    out = s * (size - 1) + (k - 1) * d + 1 - 2 * p
    return out - s + 1 if cover_all else out


def experimental(api_name):
    pass


def nondeterministic(f_name):
    pass


def sum_to(x, shape):
    """The sum of an array along the axes that shape does not have, or has as 1."""
    from .. import functions as F
    return F.sum_to(x, tuple(shape)).array


def final(*args, **kwargs):
    """A mark of members that are not overridden."""
    return (lambda f: f) if kwargs else args[0]


class enable_final(type):
    def __new__(mcs, name=None, bases=(), d=None, **kwargs):
        return type(name, bases, d)


@contextlib.contextmanager
def tempdir(**kwargs):
    yield _shapecheck.data_str()


def _drawn(weights, shape):
    """Places drawn by their weights: the largest of the logarithms, each with a number of Gumbel's distribution added."""
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return numpy.argmax(numpy.log(weights) + numpy.random.gumbel(size=shape + (len(weights),)), axis=-1)


class WalkerAlias:
    """Draws numbers by their weights."""

    def __init__(self, probs):
        n = len(probs)
        self._weights = numpy.array(probs, numpy.float32)
        self.threshold = numpy.empty(n, numpy.float32)
        self.values = numpy.empty(n * 2, numpy.int32)

    def sample(self, shape):
        return _drawn(self._weights, shape).astype(numpy.int32)

    sample_gpu = sample

    def sample_xp(self, xp, shape):
        return self.sample(shape)

    def to_cpu(self):
        return self

    to_gpu = to_cpu
