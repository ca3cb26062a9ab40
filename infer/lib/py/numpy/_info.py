# This file defines finfo and iinfo, the limits of the number types.
import numpy as np

_floats = {
    'float16': (16, 0.00097656, 65504.0, 6.104e-05, 0.001, 3),
    'float32': (32, 1.1920929e-07, 3.4028234663852886e+38, 1.1754943508222875e-38, 1e-06, 6),
    'float64': (64, 2.220446049250313e-16, 1.7976931348623157e+308, 2.2250738585072014e-308, 1e-15, 15),
}


class finfo:
    def __init__(self, dtype):
        if not isinstance(dtype, (type, str, np.dtype)):
            dtype = dtype.dtype if hasattr(dtype, 'dtype') else type(dtype)
        dtype = np.dtype(dtype)
        name = {'complex64': 'float32', 'complex128': 'float64'}.get(dtype.name, dtype.name)
        if name not in _floats:
            raise ValueError('data type ' + name + ' not inexact')
        self.dtype = np.dtype(name)
        kind = self.dtype.type
        bits, eps, top, tiny, resolution, self.precision = _floats[name]
        self.bits, self.eps, self.max, self.min = bits, kind(eps), kind(top), kind(-top)
        self.tiny, self.smallest_normal, self.resolution = kind(tiny), kind(tiny), kind(resolution)


class iinfo:
    def __init__(self, int_type):
        dtype = int_type
        if not isinstance(dtype, (type, str, np.dtype)):
            dtype = dtype.dtype if hasattr(dtype, 'dtype') else type(dtype)
        self.dtype = np.dtype(dtype)
        self.kind = self.dtype.kind
        if self.kind not in 'iu':
            raise ValueError('Invalid integer data type ' + repr(self.kind))
        self.bits = 8 * self.dtype.itemsize
        if self.kind == 'u':
            self.min, self.max = 0, 2 ** self.bits - 1
        else:
            self.min, self.max = -2 ** (self.bits - 1), 2 ** (self.bits - 1) - 1
