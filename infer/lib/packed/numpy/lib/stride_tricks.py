# This file defines views of arrays with strides of their own.
import operator

import _shapecheck
import numpy as np


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    x = np.asanyarray(x) if not isinstance(x, np.ndarray) else x
    shape = x.shape if shape is None else tuple(shape)
    if strides is not None:
        strides = tuple(strides)
        if len(strides) != len(shape):
            raise ValueError('mismatch in length of strides and shape')
    x = np._strided(x, shape, x.strides if strides is None else strides)
    if not writeable:
        x.setflags(write=False)
    return x


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    window_shape = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    x = np.asarray(x)
    for n in window_shape:
        if isinstance(n, str) or n < 0:
            raise ValueError('`window_shape` cannot contain negative values')
    if axis is None:
        axis = tuple(range(x.ndim))
        if len(window_shape) != len(axis):
            raise ValueError('Since axis is `None`, must provide window_shape for all dimensions of `x`')
    else:
        axis = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
        checked = []
        for a in axis:
            a = operator.index(a)
            if not -x.ndim <= a < x.ndim:
                raise np.AxisError('axis is out of bounds for array of dimension ' + str(x.ndim))
            checked.append(a + x.ndim if a < 0 else a)
        axis = tuple(checked)
        if len(window_shape) != len(axis):
            raise ValueError('Must provide matching length window_shape and axis')
    for a, n in zip(axis, window_shape):
        if x.shape[a] < n:
            raise ValueError('window shape cannot be larger than input array shape')
        x = np._windows(x, a, n)
    if window_shape and not writeable:
        x.setflags(write=False)
    return x


def broadcast_to(array, shape, subok=False):
    return np.broadcast_to(array, shape)


def broadcast_arrays(*args, subok=False):
    return np.broadcast_arrays(*args)


def broadcast_shapes(*args):
    return np.broadcast_shapes(*args)


as_strided = _shapecheck.boundary(as_strided, 'numpy.lib.stride_tricks.as_strided')
sliding_window_view = _shapecheck.boundary(sliding_window_view, 'numpy.lib.stride_tricks.sliding_window_view')
