# asteroid_filterbanks: filterbanks that encoders and decoders of waveforms apply. Others than these are unknown.
import numpy as _np
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from _shapecheck import unknown as _unknown


class Filterbank(_nn.Module):
    def __init__(self, n_filters, kernel_size, stride=None, sample_rate=8000.0):
        super().__init__()
        self.n_filters, self.kernel_size, self.stride = n_filters, kernel_size, stride if stride else kernel_size // 2
        self.n_feats_out, self.sample_rate = n_filters, sample_rate

    def filters(self):
        raise NotImplementedError

    def pre_analysis(self, wav):
        return wav

    def post_analysis(self, spec):
        return spec

    def pre_synthesis(self, spec):
        return spec

    def post_synthesis(self, wav):
        return wav

    def get_config(self):
        return {'fb_name': type(self).__name__, 'n_filters': self.n_filters, 'kernel_size': self.kernel_size, 'stride': self.stride,
                'sample_rate': self.sample_rate}

    def forward(self, waveform):
        raise NotImplementedError('Filterbanks must be wrapped with an Encoder or a Decoder.')


class FreeFB(Filterbank):
    def __init__(self, n_filters, kernel_size, stride=None, sample_rate=8000.0, **kwargs):
        super().__init__(n_filters, kernel_size, stride, sample_rate)
        self._filters = _nn.Parameter(_torch.ones(n_filters, 1, kernel_size))

    def filters(self):
        return self._filters


class AnalyticFreeFB(Filterbank):
    def __init__(self, n_filters, kernel_size, stride=None, sample_rate=8000.0, **kwargs):
        super().__init__(n_filters, kernel_size, stride, sample_rate)
        self.cutoff = int(n_filters // 2)
        self.n_feats_out = 2 * self.cutoff
        self._filters = _nn.Parameter(_torch.ones(n_filters // 2, 1, kernel_size))

    def filters(self):
        there = _torch.fft.fft(self._filters, dim=-1, norm='ortho').conj()
        return _torch.cat([self._filters, _torch.fft.irfft(there, n=self.kernel_size, dim=-1, norm='ortho')], dim=0)


class STFTFB(Filterbank):
    def __init__(self, n_filters, kernel_size, stride=None, window=None, sample_rate=8000.0, **kwargs):
        super().__init__(n_filters, kernel_size, stride, sample_rate)
        assert n_filters >= kernel_size
        if n_filters % 2 != 0:
            raise ValueError(f'n_filters must be even, got {n_filters}')
        self.cutoff = int(n_filters / 2 + 1)
        self.n_feats_out = 2 * self.cutoff
        if window is None:
            window = _np.hanning(kernel_size + 1)[:-1] ** .5
        elif isinstance(window, _torch.Tensor):
            window = window.data.numpy()
        if window.size != kernel_size:
            raise AssertionError(f'Expected window of size {kernel_size}. Received {window.size} instead.')
        self.window = window
        self.register_buffer('_filters', _torch.ones(self.n_feats_out, 1, kernel_size))
        self.register_buffer('torch_window', _torch.from_numpy(window).float())

    def filters(self):
        return self._filters


class _EncDec(_nn.Module):
    def __init__(self, filterbank, is_pinv=False):
        super().__init__()
        self.filterbank, self.is_pinv = filterbank, is_pinv
        self.sample_rate, self.stride = getattr(filterbank, 'sample_rate', None), filterbank.stride

    def filters(self):
        return self.filterbank.filters()

    def compute_filter_pinv(self, filters):
        shape = filters.shape
        back = _torch.pinverse(filters.squeeze()).transpose(-1, -2).view(shape)
        return back * (self.filterbank.stride / self.filterbank.kernel_size)

    def get_filters(self):
        return self.compute_filter_pinv(self.filters()) if self.is_pinv else self.filters()

    def get_config(self):
        return {**self.filterbank.get_config(), 'is_pinv': self.is_pinv}


class Encoder(_EncDec):
    def __init__(self, filterbank, is_pinv=False, as_conv1d=True, padding=0):
        super().__init__(filterbank, is_pinv)
        self.as_conv1d, self.n_feats_out, self.padding = as_conv1d, filterbank.n_feats_out, padding

    @classmethod
    def pinv_of(cls, filterbank, **kwargs):
        return cls(filterbank.filterbank if isinstance(filterbank, Decoder) else filterbank, is_pinv=True, **kwargs)

    def forward(self, waveform):
        filters, x = self.get_filters(), self.filterbank.pre_analysis(waveform)
        if x.ndim == 1:
            out = _F.conv1d(x[None, None], filters, stride=self.stride, padding=self.padding).squeeze()
        elif x.ndim == 2:
            out = _F.conv1d(x.unsqueeze(1), filters, stride=self.stride, padding=self.padding)
        elif x.ndim == 3 and self.as_conv1d and x.shape[1] == 1:
            out = _F.conv1d(x, filters, stride=self.stride, padding=self.padding)
        else:
            out = _F.conv1d(x.view(-1, 1, x.shape[-1]), filters, stride=self.stride, padding=self.padding)
            out = out.view(x.shape[:-1] + out.shape[-2:])
        return self.filterbank.post_analysis(out)


class Decoder(_EncDec):
    def __init__(self, filterbank, is_pinv=False, padding=0, output_padding=0):
        super().__init__(filterbank, is_pinv)
        self.padding, self.output_padding = padding, output_padding

    @classmethod
    def pinv_of(cls, filterbank):
        return cls(filterbank.filterbank if isinstance(filterbank, Encoder) else filterbank, is_pinv=True)

    def forward(self, spec, length=None):
        filters, x = self.get_filters(), self.filterbank.pre_synthesis(spec)
        more = dict(stride=self.stride, padding=self.padding, output_padding=self.output_padding)
        if x.ndim == 2:
            wav = _F.conv_transpose1d(x.unsqueeze(0), filters, **more).squeeze()
        elif x.ndim == 3:
            wav = _F.conv_transpose1d(x, filters, **more)
        else:
            wav = _F.conv_transpose1d(x.reshape((-1,) + x.shape[-2:]), filters, **more).view(x.shape[:-2] + (-1,))
        wav = self.filterbank.post_synthesis(wav)
        if length is not None:
            return wav[..., :min(length, wav.shape[-1])]
        return wav


free, analytic_free, stft = FreeFB, AnalyticFreeFB, STFTFB


def get(identifier):
    if identifier is None or callable(identifier):
        return identifier
    return globals().get(identifier) or _unknown('this filterbank is not modelled')


def make_enc_dec(fb_name, n_filters, kernel_size, stride=None, sample_rate=8000.0, who_is_pinv=None, padding=0, output_padding=0, **kwargs):
    def bank():
        return get(fb_name)(n_filters, kernel_size, stride=stride, sample_rate=sample_rate, **kwargs)
    if who_is_pinv in ('dec', 'decoder'):
        fb = bank()
        return Encoder(fb, padding=padding), Decoder.pinv_of(fb)
    if who_is_pinv in ('enc', 'encoder'):
        fb = bank()
        dec = Decoder(fb, padding=padding, output_padding=output_padding)
        return Encoder.pinv_of(fb), dec
    enc = Encoder(bank(), padding=padding)
    return enc, Decoder(bank(), padding=padding, output_padding=output_padding)
