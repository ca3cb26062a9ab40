# This file defines what numpy 2 added for the array API standard, after the standard's
# definitions: https://data-apis.org/array-api/2023.12/.
from collections import namedtuple

import numpy as np


def matvec(x1, x2, /):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    _core('matvec', 0, x1, 2)
    _core('matvec', 1, x2, 1)
    return np.matmul(x1, x2[..., None])[..., 0]


def vecmat(x1, x2, /):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    _core('vecmat', 0, x1, 1)
    _core('vecmat', 1, x2, 2)
    return np.matmul(np.conjugate(x1)[..., None, :], x2)[..., 0, :]


def vecdot(x1, x2, /, *, axis=-1):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    _core('vecdot', 0, x1, 1)
    _core('vecdot', 1, x2, 1)
    x1, x2 = np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1)
    return np.matmul(np.conjugate(x1)[..., None, :], x2[..., None])[..., 0, 0][()]


def _core(name, i, x, n):
    if x.ndim < n:
        raise ValueError(name + ': Input operand ' + str(i) + ' does not have enough dimensions (has ' + str(x.ndim) + ', it needs ' + str(n) + ')')


UniqueAllResult = namedtuple('UniqueAllResult', 'values indices inverse_indices counts')
UniqueCountsResult = namedtuple('UniqueCountsResult', 'values counts')
UniqueInverseResult = namedtuple('UniqueInverseResult', 'values inverse_indices')


def unique_all(x):
    x = np.asarray(x)
    values, indices, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    return UniqueAllResult(values, indices, inverse.reshape(x.shape), counts)


def unique_counts(x):
    return UniqueCountsResult(*np.unique(x, return_counts=True))


def unique_inverse(x):
    x = np.asarray(x)
    values, inverse = np.unique(x, return_inverse=True)
    return UniqueInverseResult(values, inverse.reshape(x.shape))


def unstack(x, /, *, axis=0):
    if x.ndim == 0:
        raise ValueError('Input array must be at least 1-d.')
    return tuple(np.moveaxis(x, axis, 0))


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumsum, np.zeros, x, axis, dtype, out, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumprod, np.ones, x, axis, dtype, out, include_initial)


def _cumulative(function, first, x, axis, dtype, out, include_initial):
    x = np.atleast_1d(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError('For arrays which have more than one dimension ``axis`` argument is required.')
        axis = 0
    if include_initial and out is not None:
        raise NotImplementedError('out together with include_initial is not modelled')
    res = function(x, axis=axis, dtype=dtype, out=out)
    if include_initial:
        shape = list(res.shape)
        shape[axis] = 1
        res = np.concatenate([first(shape, dtype=res.dtype), res], axis=axis)
    return res


def isdtype(dtype, kind):
    d = np.dtype(dtype).type
    for k in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(k, str):
            if k not in _KINDS:
                raise ValueError("kind argument is a string, but '" + k + "' is not a known kind name.")
            if any(issubclass(d, c) for c in _KINDS[k]):
                return True
        elif np.dtype(k).type is d:
            return True
    return False


_KINDS = {
    'bool': (np.bool_,), 'signed integer': (np.signedinteger,), 'unsigned integer': (np.unsignedinteger,), 'integral': (np.integer,),
    'real floating': (np.floating,), 'complex floating': (np.complexfloating,), 'numeric': (np.number,),
}
