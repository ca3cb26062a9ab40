# Features of sounds: as many rows as bands, a column for each frame.
import numpy as _np
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _known(y):
    return isinstance(y, _np.ndarray) and (y.dtype == _np.float32 or y.dtype == _np.float64)


def _spectrum(bands, y, S, n_fft, hop_length, center):
    # The shape and type of what has that many rows.
    if any([_is_unknown(v) for v in (bands, n_fft, hop_length, center)]):
        return None
    if S is not None:
        return (tuple(S.shape[:-2]) + (bands, S.shape[-1]), S.dtype) if _known(S) else None
    if not _known(y):
        return None
    n = y.shape[-1]
    return tuple(y.shape[:-1]) + (bands, 1 + n // hop_length if center else 1 + (n - n_fft) // hop_length), y.dtype


def _made(found):
    return _unknown('features of a sound that is not known') if found is None else _np.empty(*found)


def melspectrogram(*, y=None, sr=22050, S=None, n_fft=2048, hop_length=512, win_length=None, window='hann', center=True, pad_mode='constant', power=2.0, n_mels=128,
                   **kwargs):
    return _made(_spectrum(n_mels, y, S, n_fft, hop_length, center))


def mfcc(*, y=None, sr=22050, S=None, n_mfcc=20, dct_type=2, norm='ortho', lifter=0, n_fft=2048, hop_length=512, center=True, **kwargs):
    return _made(_spectrum(n_mfcc, y, S, n_fft, hop_length, center))


def chroma_stft(*, y=None, sr=22050, S=None, norm=_np.inf, n_fft=2048, hop_length=512, win_length=None, window='hann', center=True, pad_mode='constant', tuning=None,
                n_chroma=12, **kwargs):
    return _made(_spectrum(n_chroma, y, S, n_fft, hop_length, center))


def delta(data, *args, **kwargs):
    return _np.empty(data.shape, data.dtype) if _known(data) else _unknown('an array that is not known')
