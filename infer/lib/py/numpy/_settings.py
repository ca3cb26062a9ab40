# This file holds numpy's settings, constants of its C interface, and old names of its
# scalar classes: the values of numpy 1.23.5.
import math
import os
import sys
import warnings

import _shapecheck
import numpy as np

ALLOW_THREADS = 1
BUFSIZE = UFUNC_BUFSIZE_DEFAULT = 8192
CLIP, WRAP, RAISE = 0, 1, 2
ERR_IGNORE, ERR_WARN, ERR_RAISE, ERR_CALL, ERR_PRINT, ERR_LOG = range(6)
ERR_DEFAULT = 521
FLOATING_POINT_SUPPORT = 1
FPE_DIVIDEBYZERO, FPE_OVERFLOW, FPE_UNDERFLOW, FPE_INVALID = 1, 2, 4, 8
MAXDIMS = 32
MAY_SHARE_BOUNDS, MAY_SHARE_EXACT = 0, -1
PZERO, NZERO = 0.0, -0.0
SHIFT_DIVIDEBYZERO, SHIFT_OVERFLOW, SHIFT_UNDERFLOW, SHIFT_INVALID = 0, 3, 6, 9
UFUNC_PYVALS_NAME = 'UFUNC_PYVALS'
little_endian = True
True_, False_ = np.bool_(True), np.bool_(False)
typecodes = {
    'Character': 'c', 'Integer': 'bhilqp', 'UnsignedInteger': 'BHILQP', 'Float': 'efdg', 'Complex': 'FDG', 'AllInteger': 'bBhHiIlLqQpP',
    'AllFloat': 'efdgFDG', 'Datetime': 'Mm', 'All': '?bhilqpBHILQPefdgFDGSUVOMm',
}
int0, uint0, bytes0, str0, object0, void0 = np.int64, np.uint64, np.bytes_, np.str_, np.object_, np.void
singlecomplex = np.complex64
sctypes = {
    'int': [np.int8, np.int16, np.int32, np.int64], 'uint': [np.uint8, np.uint16, np.uint32, np.uint64],
    'float': [np.float16, np.float32, np.float64], 'complex': [np.complex64, np.complex128], 'others': [bool, object, bytes, str, np.void],
}
nbytes = {c: np.dtype(c).itemsize for k in ('int', 'uint', 'float', 'complex') for c in sctypes[k]}


class RankWarning(UserWarning):
    pass


class TooHardError(RuntimeError):
    pass


class ModuleDeprecationWarning(DeprecationWarning):
    pass


def get_printoptions():
    return _shapecheck.unknown("numpy's options of printing")


def geterr():
    return _shapecheck.unknown("numpy's treatment of floating-point errors")


def geterrcall():
    return None


def getbufsize():
    return BUFSIZE


def setbufsize(size):
    return _shapecheck.unknown('the size of a buffer of numpy')


def _shown(*args, **kwargs):
    pass


info = show_config = show_runtime = disp = _shown


def test(*args, **kwargs):
    return _shapecheck.unknown("numpy's tests")


def issubclass_(arg1, arg2):
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def issctype(rep):
    return isinstance(rep, type) and issubclass(rep, np.generic)


def issubsctype(arg1, arg2):
    return issubclass(_scalar_class(arg1), _scalar_class(arg2))


def _scalar_class(x):
    return x if issctype(x) else np.dtype(x).type


# Modules and names that are there and of which nothing is known.
dtypes = _shapecheck.unknown('the classes of numpy.dtypes')
strings = _shapecheck.unknown('arrays of texts (numpy.strings)')
float128 = _shapecheck.unknown('numpy.float128, which depends on the machine')
numarray = oldnumeric = 'removed'


def recfromtxt(fname, **kwargs):
    return _shapecheck.unknown('what numpy.recfromtxt reads from a file')


def recfromcsv(fname, **kwargs):
    return _shapecheck.unknown('what numpy.recfromcsv reads from a file')
