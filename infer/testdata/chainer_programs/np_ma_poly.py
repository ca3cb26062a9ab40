# entry: forward
# arg: x:f32[5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    p = np.polyfit(np.arange(5.0), x, 2)
    return p, np.polyval(p, x), np.interp(x, [0.0, 1.0], [2.0, 3.0]), np.convolve(x, [1, 2, 1], mode='same'), np.correlate(x, x), np.trapz(x), np.gradient(x), np.histogram(x, bins=4), np.fft.fft(x), np.fft.rfft(x), np.fft.irfft(np.fft.rfft(x)), np.nan_to_num(x), np.cumprod(x), np.angle(x), np.real(x), np.conj(x)
