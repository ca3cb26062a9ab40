# This file defines numpy's functions that make indices, and the windows.
import operator

import _shapecheck
import numpy as np


def ix_(*args):
    out = []
    nd = len(args)
    for k, new in enumerate(args):
        if not isinstance(new, np.ndarray):
            new = np.asarray(new)
            if new.size == 0:
                new = new.astype(np.intp)
        if new.ndim != 1:
            raise ValueError('Cross index must be 1 dimensional')
        if np.issubdtype(new.dtype, np.bool_):
            new = new.nonzero()[0]
        out.append(new.reshape((1,) * k + (new.size,) + (1,) * (nd - k - 1)))
    return tuple(out)


def diag_indices(n, ndim=2):
    idx = np.arange(n)
    return (idx,) * ndim


def diag_indices_from(arr):
    if not arr.ndim >= 2:
        raise ValueError('input array must be at least 2-d')
    if not all(n == arr.shape[0] for n in arr.shape):
        raise ValueError('All dimensions of input must be of equal length')
    return diag_indices(arr.shape[0], arr.ndim)


def tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError('input array must be 2-d')
    return np.tril_indices(arr.shape[-2], k=k, m=arr.shape[-1])


def triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError('input array must be 2-d')
    return np.triu_indices(arr.shape[-2], k=k, m=arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    m = np.ones((n, n), dtype=int)
    return np.nonzero(mask_func(m, k) != 0)


def _sizes(shape):
    if isinstance(shape, (list, tuple)):
        return [operator.index(n) for n in shape]
    if isinstance(shape, np.ndarray) and shape.ndim == 1:
        return [operator.index(shape[i]) for i in range(shape.shape[0])]
    return [operator.index(shape)]


def _integers(x, bools=False):
    x = np.asarray(x)
    if bools and x.dtype == bool:
        return x.astype(np.intp)
    if x.size == 0 and x.ndim == 1 and x.dtype == np.float64:
        return x.astype(np.intp)
    if not np.issubdtype(x.dtype, np.integer):
        raise TypeError('only int indices permitted')
    return x.astype(np.intp)


def unravel_index(indices, shape, order='C'):
    if order not in ('C', 'F'):
        raise ValueError("only 'C' or 'F' order is permitted")
    if indices is None or isinstance(indices, str):
        raise TypeError('only int indices permitted')
    dims = _sizes(shape)
    rest = _integers(np.asarray(indices).astype(np.intp) if np.asarray(indices).dtype == bool else indices)
    size = 1
    for n in dims:
        size *= n
    _bounds(rest, size)
    out = []
    for n in dims if order == 'F' else reversed(dims):
        last = np.fmod(rest, n) if type(n) is int and n < 0 else np.remainder(rest, n)  # as C divides
        out.append(last)
        rest = np.floor_divide(rest, n) if type(n) is not int or n >= 0 else np.floor_divide(rest - last, n)
    return tuple(out if order == 'F' else reversed(out))


def _bounds(index, size):
    # Indices that are known must be below size.
    if type(size) is not int or index.ndim > 1 or type(index.size) is not int or index.size > 64:
        return
    for i in index.ravel().tolist():
        if not _shapecheck.is_symbolic(i) and not 0 <= i < size:
            raise ValueError('index ' + str(i) + ' is out of bounds for array with size ' + str(size))


def ravel_multi_index(multi_index, dims, mode='raise', order='C'):
    dims = _sizes(dims)
    if order not in ('C', 'F'):
        raise ValueError("only 'C' or 'F' order is permitted")
    if isinstance(multi_index, np.ndarray):
        multi_index = list(multi_index)
    if len(multi_index) != len(dims):
        raise ValueError('parameter multi_index must be a sequence of length ' + str(len(dims)))
    index = [_integers(i, True) for i in multi_index]
    if mode == 'raise':
        for i, n in zip(index, dims):
            _bounds(i, n)
    else:
        return np.empty(np.broadcast_shapes(*[i.shape for i in index]), np.intp)
    pairs = list(zip(index, dims))
    if order == 'F':
        pairs.reverse()
    out = pairs[0][0]
    for i, n in pairs[1:]:
        out = out * n + i
    return out if isinstance(out, np.ndarray) and out.ndim else np.intp(out)


def lexsort(keys, axis=-1):
    if isinstance(keys, np.ndarray):
        if keys.ndim == 0:
            raise TypeError('need sequence of keys with len > 0 in lexsort')
        keys = list(keys)
    keys = [np.asarray(k) for k in keys]
    if not keys:
        raise TypeError('need sequence of keys with len > 0 in lexsort')
    for k in keys:
        if k.shape != keys[0].shape:
            raise ValueError('all keys need to be the same shape')
    if keys[0].ndim == 0:
        return np.intp(0)
    return np.argsort(keys[-1], axis=axis)


def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError('x must be a one-dimensional array or sequence.')
    if N is None:
        N = len(x)
    N = operator.index(N)
    if N < 0:
        raise ValueError('negative dimensions are not allowed')
    dtype = np.promote_types(x.dtype, int)
    powers = np.arange(N) if increasing else np.arange(N)[::-1]
    return (x.astype(dtype)[:, None] ** powers).astype(dtype)


def _steps(M):
    # An odd number of half steps from 1 - M to M: as np.arange makes them. None: there is no step, and the window is the second value.
    if M is None or isinstance(M, (tuple, list, str)):
        raise TypeError("'<' not supported between instances of '" + type(M).__name__ + "' and 'int'")
    values = np.array([0.0, M])
    M = values[1] if not isinstance(M, int) else M
    if not _shapecheck.is_symbolic(M):
        if M < 1:
            return M, None, np.array([], dtype=float)
        if M == 1:
            return M, None, np.ones(1, dtype=float)
    return M, np.arange(1 - M, M, 2), None


def hanning(M):
    M, n, w = _steps(M)
    return w if n is None else 0.5 + 0.5 * np.cos(np.pi * n / (M - 1))


def hamming(M):
    M, n, w = _steps(M)
    return w if n is None else 0.54 + 0.46 * np.cos(np.pi * n / (M - 1))


def bartlett(M):
    M, n, w = _steps(M)
    return w if n is None else np.where(np.less_equal(n, 0), 1 + n / (M - 1), 1 - n / (M - 1))


def blackman(M):
    M, n, w = _steps(M)
    return w if n is None else 0.42 + 0.5 * np.cos(np.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (M - 1))


def kaiser(M, beta):
    values = np.array([0.0, M, beta])
    M, n, w = _steps(M)
    return w if n is None else np.empty(n.shape, float)
