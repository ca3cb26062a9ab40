# Matrices of filters.
import numpy as _np
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def mel(*, sr, n_fft, n_mels=128, fmin=0.0, fmax=None, htk=False, norm='slaney', dtype=_np.float32):
    return _unknown('filters of a number that is not known') if _is_unknown(n_fft) or _is_unknown(n_mels) or _is_unknown(dtype) else _np.empty((n_mels, 1 + n_fft // 2), dtype)
