# Sound of files: samples of one channel, or of some beside each other, in the type that is asked for.
import numpy as _np
from _shapecheck import data_int as _data_int, is_unknown as _is_unknown, unknown as _unknown


def read(file, frames=-1, start=0, stop=None, dtype='float64', always_2d=False, fill_value=None, out=None, *args, **kwargs):
    rate = _data_int('rate', 1)
    if _is_unknown(dtype) or _is_unknown(always_2d):
        return _unknown('how a file of sound is read'), rate
    n = _data_int('n')
    if always_2d is not True and _unknown('whether a file has one channel'):
        return _np.empty((n,), dtype), rate
    return _np.empty((n, _data_int('c', 1)), dtype), rate


def write(*args, **kwargs):
    pass


class _Info:
    def __init__(self):
        self.samplerate = _data_int('rate', 1)
        self.frames = _data_int('n')
        self.channels = _data_int('c', 1)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what a file of sound says of itself')


def info(*args, **kwargs):
    return _Info()
