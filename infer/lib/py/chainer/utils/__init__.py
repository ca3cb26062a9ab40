# This file holds small functions that programs of Chainer use.
import numpy
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
