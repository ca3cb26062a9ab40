# Sound by librosa: how many frames and bands there are. A file has some number of samples.
import numpy as _np
from _shapecheck import data_int as _data_int, is_symbolic as _is_symbolic, is_unknown as _is_unknown, unknown as _unknown
import librosa.feature
import librosa.effects
import librosa.filters


def load(path, *, sr=22050, mono=True, offset=0.0, duration=None, dtype=_np.float32, res_type='soxr_hq'):
    rate = _data_int('rate', 1) if sr is None else sr
    if _is_unknown(mono) or mono is not True:
        return _unknown('whether a file has one channel'), rate
    return _np.empty((_data_int('n'),), dtype), rate


def _real(y):
    return isinstance(y, _np.ndarray) and (y.dtype == _np.float32 or y.dtype == _np.float64)


def _frames(n, n_fft, hop_length, center):
    return 1 + n // hop_length if center else 1 + (n - n_fft) // hop_length


def stft(y, *, n_fft=2048, hop_length=None, win_length=None, window='hann', center=True, dtype=None, pad_mode='constant', out=None):
    if not _real(y) or any([_is_unknown(v) for v in (n_fft, hop_length, win_length, center, dtype)]):
        return _unknown('the spectrum of a sound that is not known')
    hop = hop_length if hop_length is not None else (win_length if win_length is not None else n_fft) // 4
    if dtype is None:
        dtype = _np.complex64 if y.dtype == _np.float32 else _np.complex128
    return _np.empty(tuple(y.shape[:-1]) + (1 + n_fft // 2, _frames(y.shape[-1], n_fft, hop, center)), dtype)


def istft(stft_matrix, *, length=None, **kwargs):
    return _unknown('the sound of a spectrum') if length is None or not isinstance(stft_matrix, _np.ndarray) else _np.empty(
        tuple(stft_matrix.shape[:-2]) + (length,), _np.float32 if stft_matrix.dtype == _np.complex64 else _np.float64)


def _same(S, *args, **kwargs):
    return _np.empty(S.shape, S.dtype) if _real(S) else _unknown('an array that is not known')


power_to_db = amplitude_to_db = db_to_power = db_to_amplitude = _same


def magphase(D, *, power=1):
    if not isinstance(D, _np.ndarray):
        return _unknown('a spectrum that is not known'), _unknown('a spectrum that is not known')
    return _np.empty(D.shape, _np.float32 if D.dtype == _np.complex64 else _np.float64), _np.empty(D.shape, D.dtype)


def resample(y, *, orig_sr, target_sr, res_type='soxr_hq', fix=True, scale=False, axis=-1, **kwargs):
    if not _real(y) or axis != -1 or _is_unknown(orig_sr) or _is_unknown(target_sr):
        return _unknown('a sound that is not known')
    if orig_sr == target_sr:
        return y
    return _np.empty(tuple(y.shape[:-1]) + (_data_int('n'),), y.dtype)


def get_duration(*args, **kwargs):
    return _unknown('how long a sound is')


def to_mono(y):
    return y if _real(y) and len(y.shape) == 1 else _np.empty(y.shape[1:], y.dtype) if _real(y) and len(y.shape) == 2 else _unknown('a sound that is not known')
