# This file defines numpy's functions on dtypes and on memory.
import _shapecheck
import numpy as np


def common_type(*arrays):
    is_complex = False
    precision = 0
    for a in arrays:
        t = a.dtype.type
        if issubclass(t, np.complexfloating):
            is_complex = True
        if issubclass(t, np.integer):
            p = 2
        elif t in _PRECISION:
            p = _PRECISION[t]
        else:
            raise TypeError("can't get common type for non-numeric array")
        precision = max(precision, p)
    if is_complex:
        return (np.complex64, np.complex64, np.complex128)[precision]
    return (np.float16, np.float32, np.float64)[precision]


_PRECISION = {np.float16: 0, np.float32: 1, np.float64: 2, np.complex64: 1, np.complex128: 2}


def may_share_memory(a, b, /, max_work=None):
    return _shapecheck.shares_storage(a, b)


def shares_memory(a, b, /, max_work=None):
    return _shapecheck.shares_storage(a, b)


class _Memory:
    """What ndarray.data gives, a memoryview: it has the sizes of the array and no dtype."""

    def __init__(self, obj):
        self.obj = obj
        self.shape, self.ndim, self.itemsize, self.nbytes = obj.shape, obj.ndim, obj.itemsize, obj.nbytes

    def __len__(self):
        return len(self.obj)

    def __array__(self, dtype=None):
        return self.obj if dtype is None else self.obj.astype(dtype)

    def __getattr__(self, name):
        if name in _MEMORYVIEW:
            return _shapecheck.unknown('memoryview is not followed')
        raise AttributeError("'memoryview' object has no attribute '" + name + "'")


_Memory.__name__ = 'memoryview'
_MEMORYVIEW = ('c_contiguous', 'cast', 'contiguous', 'f_contiguous', 'format', 'hex', 'readonly', 'release', 'strides', 'suboffsets', 'tobytes',
               'tolist', 'toreadonly', '__getitem__', '__setitem__', '__eq__', '__hash__', '__enter__', '__exit__')


def mintypecode(typechars, typeset='GDFgdf', default='d'):
    codes = [t if isinstance(t, str) else np.asarray(t).dtype.char for t in typechars]
    intersection = set(t for t in codes if t in typeset)
    if not intersection:
        return default
    if 'F' in intersection and 'd' in intersection:
        return 'D'
    return min(intersection, key='GDFgdfeBbhHiIlLqQ?'.index if False else 'GDFgdf'.index)


def typename(char):
    return _TYPENAMES[char]


_TYPENAMES = {
    'S1': 'character', '?': 'bool', 'B': 'unsigned char', 'D': 'complex double precision', 'G': 'complex long double precision',
    'F': 'complex single precision', 'I': 'unsigned integer', 'H': 'unsigned short', 'L': 'unsigned long integer', 'O': 'object', 'S': 'string',
    'U': 'unicode', 'V': 'void', 'Q': 'unsigned long long integer', 'b': 'signed char', 'd': 'double precision', 'g': 'long precision',
    'f': 'single precision', 'i': 'integer', 'h': 'short', 'l': 'long integer', 'q': 'long long integer',
}
