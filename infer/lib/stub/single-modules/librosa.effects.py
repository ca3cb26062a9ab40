# Sounds that are changed.
import numpy as _np
from _shapecheck import data_int as _data_int, unknown as _unknown


def _known(y):
    return isinstance(y, _np.ndarray) and (y.dtype == _np.float32 or y.dtype == _np.float64)


def trim(y, *args, **kwargs):
    if not _known(y):
        return _unknown('a sound that is not known'), _unknown('where it begins and ends')
    return _np.empty(tuple(y.shape[:-1]) + (_data_int('n'),), y.dtype), _np.empty((2,), _np.int64)


def time_stretch(y, *, rate, **kwargs):
    return _np.empty(tuple(y.shape[:-1]) + (_data_int('n'),), y.dtype) if _known(y) else _unknown('a sound that is not known')


def pitch_shift(y, *args, **kwargs):
    return _np.empty(y.shape, y.dtype) if _known(y) else _unknown('a sound that is not known')
