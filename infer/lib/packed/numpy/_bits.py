# This file defines numpy's functions on bits, on text for numbers, and on the parts of
# complex numbers.
import operator

import _shapecheck
import numpy as np


def packbits(a, /, axis=None, bitorder='big'):
    a = _checked('packbits', np.asarray(a), bitorder)
    if a.dtype.kind not in 'biu':
        raise TypeError('Expected an input array of integer or boolean data type')
    shape, axis = _along(a, axis)
    shape[axis] = (shape[axis] + 7) // 8
    return np.empty(tuple(shape), dtype=np.uint8)


def unpackbits(a, /, axis=None, count=None, bitorder='big'):
    a = _checked('unpackbits', np.asarray(a), bitorder)
    if a.dtype != np.uint8:
        raise TypeError('Expected an input array of unsigned byte data type')
    shape, axis = _along(a, axis)
    bits = shape[axis] * 8
    if count is not None:
        count = operator.index(count)
        if count < 0 and -count > bits:
            raise ValueError('-count larger than number of elements')
        bits = count if count >= 0 else bits + count
    shape[axis] = bits
    return np.empty(tuple(shape), dtype=np.uint8)


def _checked(name, a, bitorder):
    if bitorder not in ('little', 'big'):
        raise ValueError("'order' must be either 'little' or 'big'")
    return a


def _along(a, axis):
    if axis is None:
        return [a.size], 0
    n = a.ndim
    axis = operator.index(axis)
    if not -n <= axis < n:
        raise np.AxisError('axis ' + str(axis) + ' is out of bounds for array of dimension ' + str(n))
    return list(a.shape), axis


def base_repr(number, base=2, padding=0):
    if base > 36:
        raise ValueError('Bases greater than 36 not handled in base_repr.')
    if base < 2:
        raise ValueError('Bases less than 2 not handled in base_repr.')
    num, res = abs(int(number)), ''
    while num:
        res = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'[num % base] + res
        num //= base
    res = '0' * padding + res
    if number < 0:
        res = '-' + res
    return res or '0'


def binary_repr(num, width=None):
    num = operator.index(num)
    if width is None or num == 0:
        return base_repr(num, 2).zfill(width or 1)
    if num > 0:
        digits = base_repr(num, 2)
    else:  # two's complement
        digits = base_repr((1 << width) + num, 2) if num >= -1 << width - 1 else base_repr((1 << len(base_repr(-num, 2)) + 1) + num, 2)
    if len(digits) > width:
        if np.__version__[0] == '1':
            return _shapecheck.unknown('numpy.binary_repr of a number that is too wide')
        raise ValueError('Insufficient bit width=' + str(width) + ' provided for binwidth=' + str(len(digits)))
    return digits.zfill(width)


def sort_complex(a):
    b = np.sort(np.asarray(a))
    if issubclass(b.dtype.type, np.complexfloating):
        return b
    return b.astype(np.complex64 if b.dtype.char in 'bhBH' else np.complex128)


def real_if_close(a, tol=100):
    a = np.asanyarray(a)
    if issubclass(a.dtype.type, np.complexfloating):
        return _shapecheck.unknown('numpy.real_if_close of complex numbers')
    return a


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    p = np.asarray(p)
    dd = np.diff(p, axis=axis)
    dtype = np.result_type(dd, period)
    if np.issubdtype(dtype, np.integer):
        high, odd = divmod(period, 2)
    else:
        high, odd = period / 2, False
    if discont is None:
        discont = period / 2
    ddmod = np.mod(dd + high, period) - high
    if not odd:
        ddmod = np.where((ddmod == -high) & (dd > 0), high, ddmod)
    correct = np.where(np.abs(dd) < discont, 0, ddmod - dd)
    axis = operator.index(axis) % p.ndim
    key = (slice(None),) * axis
    first, rest = p[key + (slice(0, 1),)], p[key + (slice(1, None),)]
    return np.concatenate([first.astype(dtype), (rest + correct.cumsum(axis)).astype(dtype)], axis)


def isfortran(a):
    return np.asarray(a).flags.fnc


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    if count != -1 or not isinstance(buffer, bytes):
        return np.empty(_shapecheck.data_int('n') if count == -1 else count, dtype=dtype)
    size = len(buffer) - offset
    width = np.dtype(dtype).itemsize
    if not _shapecheck.is_symbolic(size) and size % width != 0:
        raise ValueError('buffer size must be a multiple of element size')
    return np.empty((size // width,), dtype=dtype)


def from_dlpack(x, /, *, device=None, copy=None):
    return np.asarray(x)


def asfarray(a, dtype=np.float64):
    if not np.issubdtype(dtype, np.inexact):
        dtype = np.float64
    return np.asarray(a, dtype=dtype)


def cumproduct(*args, **kwargs):
    return np.cumprod(*args, **kwargs)
