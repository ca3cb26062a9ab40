# ChainerX as Chainer's package for Python has it, where its library was not built: is_available() says so, and no array
# is one of its own. Its functions, which a program calls where the library was built, are NumPy's with ChainerX's
# defaults: what is made without a dtype is float32, and so are the floats that are computed of integers.
import numpy as _np
from numpy import (abs, add, all, amax, amin, any, argmax, argmin, asanyarray, ascontiguousarray, atleast_2d, atleast_3d,
                   bitwise_and, bitwise_or, bitwise_xor, broadcast_to, clip, concatenate, copy, count_nonzero, diag,
                   diagflat, dot, dsplit, dstack, e, empty_like, equal, expand_dims, flip, fliplr, flipud, greater,
                   greater_equal, hsplit, hstack, inf, isfinite, isinf, isnan, left_shift, less, less_equal, logical_and,
                   logical_not, logical_or, logical_xor, maximum, meshgrid, minimum, moveaxis, multiply, nan, negative,
                   newaxis, nonzero, not_equal, ones_like, pi, ravel, repeat, reshape, right_shift, sign, split,
                   square, squeeze, stack, subtract, sum, swapaxes, take, transpose, tril, triu, vsplit, vstack, where,
                   zeros_like)
from numpy import bool_, dtype, float16, float32, float64, int8, int16, int32, int64, uint8


class ndarray:
    def __init__(self, *args, **kwargs):
        raise RuntimeError('chainerx is not available.')


def is_available():
    return False


def array(object, dtype=None, copy=True, device=None):
    return _np.array(object, dtype)


def asarray(object, dtype=None, device=None):
    return _np.asarray(object, dtype)


def to_numpy(array, copy=True):
    return _np.array(array)


def empty(shape, dtype=None, device=None):
    return _np.empty(shape, float32 if dtype is None else dtype)


def zeros(shape, dtype=None, device=None):
    return _np.zeros(shape, float32 if dtype is None else dtype)


def ones(shape, dtype=None, device=None):
    return _np.ones(shape, float32 if dtype is None else dtype)


def identity(n, dtype=None, device=None):
    return _np.identity(n, float32 if dtype is None else dtype)


def eye(N, M=None, k=0, dtype=float64, device=None):
    return _np.eye(N, M, k, dtype)


def _of_floats(function):
    def call(*arrays):
        return function(*[a if a.dtype.kind == 'f' else a.astype(float32) for a in arrays])
    return call


arccos, arccosh, arcsin, arcsinh = _of_floats(_np.arccos), _of_floats(_np.arccosh), _of_floats(_np.arcsin), _of_floats(_np.arcsinh)
arctan, cos, cosh, sin = _of_floats(_np.arctan), _of_floats(_np.cos), _of_floats(_np.cosh), _of_floats(_np.sin)
sinh, tan, tanh, exp = _of_floats(_np.sinh), _of_floats(_np.tan), _of_floats(_np.tanh), _of_floats(_np.exp)
exp2, expm1, log, log2 = _of_floats(_np.exp2), _of_floats(_np.expm1), _of_floats(_np.log), _of_floats(_np.log2)
log10, log1p, sqrt = _of_floats(_np.log10), _of_floats(_np.log1p), _of_floats(_np.sqrt)
ceil, floor, fabs = _of_floats(_np.ceil), _of_floats(_np.floor), _of_floats(_np.fabs)


def relu(x):
    return maximum(x, 0)


def sigmoid(x):
    return 1 / (1 + exp(-x))
