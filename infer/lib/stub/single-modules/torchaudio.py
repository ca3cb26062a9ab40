# torchaudio: a signal of a file is [channels, samples].
import torch as _torch
import torchaudio.functional
import torchaudio.transforms
from _shapecheck import data_int as _data_int, is_unknown as _is_unknown, unknown as _unknown


def load(uri, frame_offset=0, num_frames=-1, normalize=True, channels_first=True, *args, **kwargs):
    if _is_unknown(normalize) or _is_unknown(channels_first) or not normalize:
        return _unknown('a signal in the type of its file'), _data_int('rate', 1)
    size = (_data_int('c', 1), _data_int('n'))
    return _torch._stand_in(_torch.empty(size if channels_first else size[::-1]), what='the signal'), _data_int('rate', 1)


def save(*args, **kwargs):
    pass


def set_audio_backend(backend):
    pass


class _Info:
    def __init__(self):
        self.sample_rate = _data_int('rate', 1)
        self.num_frames = _data_int('n')
        self.num_channels = _data_int('c', 1)
        self.bits_per_sample = _data_int('bits')
        self.encoding = _unknown('how a file of sound is encoded')


def info(uri, *args, **kwargs):
    return _Info()
