# torchaudio.functional: sizes of spectrograms, features and resampled signals.
import math as _math
import torch as _torch
import torch.nn.functional as _F
from _shapecheck import data_int as _data_int, is_symbolic as _is_symbolic

_NAME = 'torchaudio.functional.'


def _norms(normalized):
    # Whether a spectrum is divided by the length of a frame, and by its window.
    if isinstance(normalized, str):
        if normalized not in ('frame_length', 'window'):
            raise ValueError(f'Invalid normalized parameter: {normalized}')
        return normalized == 'frame_length', normalized == 'window'
    return False, normalized


def spectrogram(waveform, pad, window, n_fft, hop_length, win_length, power, normalized, center=True, pad_mode='reflect', onesided=True,
                return_complex=None):
    if pad > 0:
        waveform = _F.pad(waveform, (pad, pad), 'constant')
    by_frame, by_window = _norms(normalized)
    shape = tuple(waveform.shape)
    spec = _torch.stft(waveform.reshape(-1, shape[-1]), n_fft, hop_length, win_length, window, center, pad_mode, by_frame, onesided, return_complex=True)
    spec = spec.reshape(shape[:-1] + tuple(spec.shape[-2:]))
    if by_window:
        spec = spec / window.pow(2.0).sum().sqrt()
    if power is None:
        return spec
    return spec.abs() if power == 1.0 else spec.abs().pow(power)


def inverse_spectrogram(spectrogram, length, pad, window, n_fft, hop_length, win_length, normalized, center=True, pad_mode='reflect', onesided=True):
    if not spectrogram.is_complex():
        raise ValueError('Expected `spectrogram` to be complex dtype.')
    by_frame, by_window = _norms(normalized)
    if by_window:
        spectrogram = spectrogram * window.pow(2.0).sum().sqrt()
    shape = tuple(spectrogram.shape)
    wave = _torch.istft(spectrogram.reshape((-1,) + shape[-2:]), n_fft, hop_length, win_length, window, center, by_frame, onesided,
                        None if length is None else length + 2 * pad)
    if length is not None and pad > 0:
        wave = wave[:, pad:-pad]
    return wave.reshape(shape[:-2] + tuple(wave.shape[-1:]))


def amplitude_to_DB(x, multiplier, amin, db_multiplier, top_db=None):
    db = multiplier * _torch.log10(_torch.clamp(x, min=amin)) - multiplier * db_multiplier
    if top_db is None:
        return db
    shape = tuple(db.shape)
    packed = db.reshape((-1, shape[-3] if len(shape) > 2 else 1) + shape[-2:])
    return _torch.max(packed, (packed.amax(dim=(-3, -2, -1)) - top_db).view(-1, 1, 1, 1)).reshape(shape)


def DB_to_amplitude(x, ref, power):
    return ref * _torch.pow(_torch.pow(10.0, 0.1 * x), power)


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale='htk'):
    if norm is not None and norm != 'slaney':
        raise ValueError('norm must be one of None or "slaney"')
    return _torch._stand_in(_torch.zeros(n_freqs, n_mels), what=_NAME + 'melscale_fbanks')


def linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate):
    return _torch._stand_in(_torch.zeros(n_freqs, n_filter), what=_NAME + 'linear_fbanks')


def create_dct(n_mfcc, n_mels, norm):
    if norm is not None and norm != 'ortho':
        raise ValueError('norm must be either "ortho" or None')
    dct = _torch.cos(_math.pi / float(n_mels) * (_torch.arange(float(n_mels)) + 0.5) * _torch.arange(float(n_mfcc)).unsqueeze(1))
    if norm is None:
        return (dct * 2.0).t()
    dct[0] *= 1.0 / _math.sqrt(2.0)
    return (dct * _math.sqrt(2.0 / float(n_mels))).t()


def _masked(specgram, mask_param, axis, least, what):
    dim = specgram.dim()
    if dim < least:
        raise ValueError(f'{what} takes a spectrogram of {least} dimensions or more ({dim} given).')
    if axis not in (dim - 2, dim - 1):
        raise ValueError(f'Only Frequency and Time masking are supported (axis {dim - 2} and axis {dim - 1} supported; {axis} given).')
    return _torch._stand_in(specgram.clone(), what=_NAME + what)


def mask_along_axis(specgram, mask_param, mask_value, axis, p=1.0):
    return _masked(specgram, mask_param, axis, 2, 'mask_along_axis')


def mask_along_axis_iid(specgrams, mask_param, mask_value, axis, p=1.0):
    return _masked(specgrams, mask_param, axis, 3, 'mask_along_axis_iid')


def compute_deltas(specgram, win_length=5, mode='replicate'):
    if win_length < 3:
        raise ValueError(f'Window length should be greater than or equal to 3. Found win_length {win_length}')
    n = (win_length - 1) // 2
    shape = specgram.shape
    x = _F.pad(specgram.reshape(1, -1, shape[-1]), (n, n), mode=mode)
    kernel = _torch.arange(-n, n + 1, 1, device=specgram.device, dtype=specgram.dtype).repeat(x.shape[1], 1, 1)
    return (_F.conv1d(x, kernel, groups=x.shape[1]) / (n * (n + 1) * (2 * n + 1) / 3)).reshape(shape)


def _sinc_kernel(orig, new, lowpass_filter_width, rolloff, dtype):
    width = _math.ceil(lowpass_filter_width * orig / (min(orig, new) * rolloff))
    return _torch._stand_in(_torch.zeros(new, 1, 2 * width + orig, dtype=dtype or _torch.float32), what=_NAME + 'resample'), width


def _length(length, orig, new):
    # The next integer to new * length / orig, which is computed in float32.
    if _is_symbolic(length):
        return new * length if orig == 1 else _data_int('n')
    m, e = _math.frexp(new * length / orig)
    return min(_math.ceil(_math.ldexp(round(m * 2 ** 24), e - 24)), new * (length // orig + 1))


def _resampled(waveform, orig, new, kernel, width):
    if not waveform.is_floating_point():
        raise TypeError(f'Expected floating point type for waveform tensor, but received {waveform.dtype}.')
    shape = tuple(waveform.shape)
    x = _F.conv1d(_F.pad(waveform.reshape(-1, 1, shape[-1]), (width, width + orig)), kernel, stride=orig)
    return _torch._stand_in(x.new_empty(shape[:-1] + (_length(shape[-1], orig, new),)), what=_NAME + 'resample')


def resample(waveform, orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99, resampling_method='sinc_interp_hann', beta=None):
    if orig_freq == new_freq:
        return waveform
    by = _math.gcd(int(orig_freq), int(new_freq))
    orig, new = int(orig_freq) // by, int(new_freq) // by
    kernel, width = _sinc_kernel(orig, new, lowpass_filter_width, rolloff, waveform.dtype)
    return _resampled(waveform, orig, new, kernel, width)


def mu_law_encoding(x, quantization_channels):
    mu = quantization_channels - 1.0
    x = x if x.is_floating_point() else x.to(_torch.float)
    x = _torch.sign(x) * _torch.log1p(mu * _torch.abs(x)) / _math.log1p(mu)
    return ((x + 1) / 2 * mu + 0.5).to(_torch.int64)


def mu_law_decoding(x_mu, quantization_channels):
    mu = quantization_channels - 1.0
    x = x_mu if x_mu.is_floating_point() else x_mu.to(_torch.float)
    x = x / mu * 2 - 1.0
    return _torch.sign(x) * (_torch.exp(_torch.abs(x) * _math.log1p(mu)) - 1.0) / mu
