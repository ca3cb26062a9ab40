# torchaudio.transforms: modules around torchaudio.functional.
import math as _math
import torch as _torch
from torch import nn as _nn
import torchaudio.functional as _A


def _window(window_fn, length, options):
    return window_fn(length) if options is None else window_fn(length, **options)


class Spectrogram(_nn.Module):
    def __init__(self, n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=_torch.hann_window, power=2.0, normalized=False, wkwargs=None,
                 center=True, pad_mode='reflect', onesided=True, return_complex=None):
        super().__init__()
        self.n_fft = n_fft
        self.win_length = n_fft if win_length is None else win_length
        self.hop_length = self.win_length // 2 if hop_length is None else hop_length
        self.register_buffer('window', _window(window_fn, self.win_length, wkwargs))
        self.pad, self.power, self.normalized, self.center, self.pad_mode, self.onesided = pad, power, normalized, center, pad_mode, onesided

    def forward(self, waveform):
        return _A.spectrogram(waveform, self.pad, self.window, self.n_fft, self.hop_length, self.win_length, self.power, self.normalized, self.center,
                              self.pad_mode, self.onesided)


class InverseSpectrogram(_nn.Module):
    def __init__(self, n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=_torch.hann_window, normalized=False, wkwargs=None, center=True,
                 pad_mode='reflect', onesided=True):
        super().__init__()
        self.n_fft = n_fft
        self.win_length = n_fft if win_length is None else win_length
        self.hop_length = self.win_length // 2 if hop_length is None else hop_length
        self.register_buffer('window', _window(window_fn, self.win_length, wkwargs))
        self.pad, self.normalized, self.center, self.pad_mode, self.onesided = pad, normalized, center, pad_mode, onesided

    def forward(self, spectrogram, length=None):
        return _A.inverse_spectrogram(spectrogram, length, self.pad, self.window, self.n_fft, self.hop_length, self.win_length, self.normalized,
                                      self.center, self.pad_mode, self.onesided)


class AmplitudeToDB(_nn.Module):
    def __init__(self, stype='power', top_db=None):
        super().__init__()
        if top_db is not None and top_db < 0:
            raise ValueError('top_db must be positive value')
        self.stype = stype
        self.top_db = top_db
        self.multiplier = 10.0 if stype == 'power' else 20.0
        self.amin = 1e-10
        self.ref_value = 1.0
        self.db_multiplier = 0.0

    def forward(self, x):
        return _A.amplitude_to_DB(x, self.multiplier, self.amin, self.db_multiplier, self.top_db)


class MelScale(_nn.Module):
    def __init__(self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=None, mel_scale='htk'):
        super().__init__()
        self.n_mels = n_mels
        self.sample_rate = sample_rate
        self.f_max = float(sample_rate // 2) if f_max is None else f_max
        self.f_min = f_min
        self.n_stft = n_stft
        self.norm = norm
        self.mel_scale = mel_scale
        if f_min > self.f_max:
            raise ValueError(f'Require f_min: {f_min} <= f_max: {self.f_max}')
        self.register_buffer('fb', _A.melscale_fbanks(n_stft, f_min, self.f_max, n_mels, sample_rate, norm, mel_scale))

    def forward(self, specgram):
        return _torch.matmul(specgram.transpose(-1, -2), self.fb).transpose(-1, -2)


class MelSpectrogram(_nn.Module):
    def __init__(self, sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0, n_mels=128,
                 window_fn=_torch.hann_window, power=2.0, normalized=False, wkwargs=None, center=True, pad_mode='reflect', onesided=None, norm=None,
                 mel_scale='htk'):
        super().__init__()
        self.sample_rate = sample_rate
        self.n_fft = n_fft
        self.win_length = n_fft if win_length is None else win_length
        self.hop_length = self.win_length // 2 if hop_length is None else hop_length
        self.pad, self.power, self.normalized, self.n_mels, self.f_max, self.f_min = pad, power, normalized, n_mels, f_max, f_min
        self.spectrogram = Spectrogram(n_fft, self.win_length, self.hop_length, pad, window_fn, power, normalized, wkwargs, center, pad_mode, True)
        self.mel_scale = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1, norm, mel_scale)

    def forward(self, waveform):
        return self.mel_scale(self.spectrogram(waveform))


class MFCC(_nn.Module):
    def __init__(self, sample_rate=16000, n_mfcc=40, dct_type=2, norm='ortho', log_mels=False, melkwargs=None):
        super().__init__()
        if dct_type != 2:
            raise ValueError(f'DCT type not supported: {dct_type}')
        self.sample_rate = sample_rate
        self.n_mfcc = n_mfcc
        self.dct_type = dct_type
        self.norm = norm
        self.top_db = 80.0
        self.amplitude_to_DB = AmplitudeToDB('power', self.top_db)
        self.MelSpectrogram = MelSpectrogram(sample_rate=sample_rate, **(melkwargs or {}))
        if n_mfcc > self.MelSpectrogram.n_mels:
            raise ValueError('Cannot select more MFCC coefficients than # mel bins')
        self.register_buffer('dct_mat', _A.create_dct(n_mfcc, self.MelSpectrogram.n_mels, norm))
        self.log_mels = log_mels

    def forward(self, waveform):
        mel = self.MelSpectrogram(waveform)
        mel = _torch.log(mel + 1e-6) if self.log_mels else self.amplitude_to_DB(mel)
        return _torch.matmul(mel.transpose(-1, -2), self.dct_mat).transpose(-1, -2)


class Resample(_nn.Module):
    def __init__(self, orig_freq=16000, new_freq=16000, resampling_method='sinc_interp_hann', lowpass_filter_width=6, rolloff=0.99, beta=None, *,
                 dtype=None):
        super().__init__()
        self.orig_freq = orig_freq
        self.new_freq = new_freq
        self.gcd = _math.gcd(int(orig_freq), int(new_freq))
        self.resampling_method = resampling_method
        self.lowpass_filter_width = lowpass_filter_width
        self.rolloff = rolloff
        if orig_freq != new_freq:
            kernel, self.width = _A._sinc_kernel(int(orig_freq) // self.gcd, int(new_freq) // self.gcd, lowpass_filter_width, rolloff, dtype)
            self.register_buffer('kernel', kernel)

    def forward(self, waveform):
        if self.orig_freq == self.new_freq:
            return waveform
        return _A._resampled(waveform, int(self.orig_freq) // self.gcd, int(self.new_freq) // self.gcd, self.kernel, self.width)


class _AxisMasking(_nn.Module):
    def __init__(self, mask_param, axis, iid_masks, p=1.0):
        super().__init__()
        self.mask_param = mask_param
        self.axis = axis
        self.iid_masks = iid_masks
        self.p = p

    def forward(self, specgram, mask_value=0.0):
        mask = _A.mask_along_axis_iid if self.iid_masks else _A.mask_along_axis
        return mask(specgram, self.mask_param, mask_value, self.axis + specgram.dim() - 3, p=self.p)


class FrequencyMasking(_AxisMasking):
    def __init__(self, freq_mask_param, iid_masks=False):
        super().__init__(freq_mask_param, 1, iid_masks)


class TimeMasking(_AxisMasking):
    def __init__(self, time_mask_param, iid_masks=False, p=1.0):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f'The value of p must be between 0.0 and 1.0 ({p} given).')
        super().__init__(time_mask_param, 2, iid_masks, p)


class ComputeDeltas(_nn.Module):
    def __init__(self, win_length=5, mode='replicate'):
        super().__init__()
        self.win_length = win_length
        self.mode = mode

    def forward(self, specgram):
        return _A.compute_deltas(specgram, self.win_length, self.mode)


class MuLawEncoding(_nn.Module):
    def __init__(self, quantization_channels=256):
        super().__init__()
        self.quantization_channels = quantization_channels

    def forward(self, x):
        return _A.mu_law_encoding(x, self.quantization_channels)


class MuLawDecoding(MuLawEncoding):
    def forward(self, x_mu):
        return _A.mu_law_decoding(x_mu, self.quantization_channels)
