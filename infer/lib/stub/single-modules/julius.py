# julius: resampling of signals by a fraction.
import math as _math
import torch as _torch
import torch.nn.functional as _F


class ResampleFrac(_torch.nn.Module):
    def __init__(self, old_sr, new_sr, zeros=24, rolloff=0.945):
        super().__init__()
        if not isinstance(old_sr, int) or not isinstance(new_sr, int):
            raise ValueError('old_sr and new_sr should be integers')
        common = _math.gcd(old_sr, new_sr)
        self.old_sr, self.new_sr, self.zeros, self.rolloff = old_sr // common, new_sr // common, zeros, rolloff
        if self.old_sr != self.new_sr:
            self._width = _math.ceil(zeros * self.old_sr / (min(self.new_sr, self.old_sr) * rolloff))
            self.register_buffer('kernel', _torch.ones(self.new_sr, 1, 2 * self._width + self.old_sr))

    def forward(self, x, output_length=None, full=False):
        if self.old_sr == self.new_sr:
            return x
        shape, length = x.shape, x.shape[-1]
        x = _F.pad(x.reshape(-1, length)[:, None], (self._width, self._width + self.old_sr), mode='replicate')
        y = _F.conv1d(x, self.kernel, stride=self.old_sr).transpose(1, 2).reshape(list(shape[:-1]) + [-1])
        most = -(-self.new_sr * length // self.old_sr)
        if output_length is None:
            return y[..., :most if full else self.new_sr * length // self.old_sr]
        if output_length < 0 or output_length > most:
            raise ValueError(f'output_length must be between 0 and {most}')
        if full:
            raise ValueError('You cannot pass both full=True and output_length')
        return y[..., :output_length]


def resample_frac(x, old_sr, new_sr, zeros=24, rolloff=0.945, output_length=None, full=False):
    return ResampleFrac(old_sr, new_sr, zeros, rolloff).to(x)(x, output_length, full)
