# This file defines the exception of numpy.linalg and what numpy 2 added there; the
# other functions are operator records.
import numpy as np


class LinAlgError(ValueError):
    pass


def cross(x1, x2, /, *, axis=-1):
    x1, x2 = np.asanyarray(x1), np.asanyarray(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError('Both input arrays must be (arrays of) 3-dimensional vectors, but they are ' + str(x1.shape[axis]) + ' and ' + str(x2.shape[axis])
                         + ' dimensional instead.')
    return np.cross(x1, x2, axis=axis)


def outer(x1, x2, /):
    x1, x2 = np.asanyarray(x1), np.asanyarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError('Input arrays must be one-dimensional, but they are x1.ndim=' + str(x1.ndim) + ' and x2.ndim=' + str(x2.ndim) + '.')
    return np.outer(x1, x2)


def matmul(x1, x2, /):
    return np.matmul(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes=axes)


def vecdot(x1, x2, /, *, axis=-1):
    return np.vecdot(x1, x2, axis=axis)


def matrix_transpose(x, /):
    return np.matrix_transpose(x)


def diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, axis1=-2, axis2=-1)


def trace(x, /, *, offset=0, dtype=None):
    return np.trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = np.asanyarray(x)
    shape = x.shape
    if axis is None:
        x, axis = x.ravel(), 0
    elif isinstance(axis, tuple):
        axis = tuple(a + x.ndim if a < 0 else a for a in axis)
        rest = tuple(i for i in range(x.ndim) if i not in axis)
        res = np.linalg.norm(np.transpose(x, rest + axis).reshape(tuple(shape[i] for i in rest) + (-1,)), axis=-1, ord=ord)
        return res.reshape(tuple(1 if i in axis else n for i, n in enumerate(shape))) if keepdims else res
    res = np.linalg.norm(x, axis=axis, ord=ord)
    if keepdims:
        return np.reshape(res, (1,) * len(shape) if x.ndim != len(shape) else tuple(1 if i == axis % len(shape) else n for i, n in enumerate(shape)))
    return res
