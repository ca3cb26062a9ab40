# torchvision.io where torchvision is missing: pictures and films of files have some size, and the channels that the mode asks for.
import enum as _enum
import torch as _torch
from _shapecheck import data_int as _data_int, is_unknown as _is_unknown, unknown as _unknown, writes_file as _writes_file


class ImageReadMode(_enum.Enum):
    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


def _picture(mode):
    if not _is_unknown(mode) and isinstance(mode, str):
        mode = ImageReadMode[mode.upper()]
    if _is_unknown(mode):
        return _unknown('a picture whose channels a mode decides that is not known')
    channels = _data_int('c', 1, 4) if mode is ImageReadMode.UNCHANGED else mode.value
    return _torch.empty((channels, _data_int('h', 1), _data_int('w', 1)), dtype=_torch.uint8)


def read_file(path):
    return _torch.empty((_data_int('n', 1),), dtype=_torch.uint8)


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    return _picture(mode)


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    return _picture(mode)


def decode_png(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    return _picture(mode)


def decode_webp(input, mode=ImageReadMode.UNCHANGED):
    return _picture(mode)


def decode_jpeg(input, mode=ImageReadMode.UNCHANGED, device='cpu', apply_exif_orientation=False):
    return [_picture(mode).to(device) for _ in input] if isinstance(input, list) else _picture(mode).to(device)


def _encoded(input):
    return _torch.empty((_data_int('n', 1),), dtype=_torch.uint8)


def encode_png(input, compression_level=6):
    return _encoded(input)


def encode_jpeg(input, quality=75):
    return [_encoded(x) for x in input] if isinstance(input, list) else _encoded(input)


def write_file(filename, data):
    _writes_file(filename)


def write_png(input, filename, compression_level=6):
    _writes_file(filename)


def write_jpeg(input, filename, quality=75):
    _writes_file(filename)
