# This file is torchvision.transforms.functional: what becomes of the size of a
# picture, which is a PIL picture or a tensor [..., H, W].
import enum
import _shapecheck
import torch
from PIL import Image


class InterpolationMode(enum.Enum):
    NEAREST = 'nearest'
    NEAREST_EXACT = 'nearest-exact'
    BILINEAR = 'bilinear'
    BICUBIC = 'bicubic'
    BOX = 'box'
    HAMMING = 'hamming'
    LANCZOS = 'lanczos'


def _check(img):
    if not isinstance(img, (Image.Image, torch.Tensor)):
        raise TypeError(f'img should be PIL Image or Tensor. Got {type(img)}')


def get_dimensions(img):
    _check(img)
    if isinstance(img, Image.Image):
        return [img._bands(), img.height, img.width]
    channels = 1 if img.ndim == 2 else img.shape[-3]
    return [channels, img.shape[-2], img.shape[-1]]


def get_image_size(img):
    return get_dimensions(img)[:0:-1]


def get_image_num_channels(img):
    return get_dimensions(img)[0]


def _sized(img, h, w):
    # The same kind of picture with another size.
    if isinstance(img, Image.Image):
        return Image.Image((w, h), img._mode)
    return torch._stand_in(img.new_empty(tuple(img.shape[:-2]) + (h, w)))


def _same(img, *args, **kwargs):
    _check(img)
    return img.copy() if isinstance(img, Image.Image) else torch._stand_in(img)


hflip = vflip = adjust_brightness = adjust_contrast = adjust_saturation = adjust_hue = adjust_gamma = _same
adjust_sharpness = autocontrast = equalize = invert = posterize = solarize = affine = perspective = _same
gaussian_blur = elastic_transform = _same


def to_tensor(pic):
    if isinstance(pic, Image.Image):
        c, h, w = get_dimensions(pic)
        d = {'I': torch.int32, 'I;16': torch.int16, 'F': torch.float32}.get(pic._mode, torch.get_default_dtype())
        return torch._stand_in(torch.empty((c, h, w), dtype=d))
    if type(pic).__module__ != 'numpy':
        raise TypeError(f'pic should be PIL Image or ndarray. Got {type(pic)}')
    if pic.ndim not in (2, 3):
        raise ValueError(f'pic should be 2/3 dimensional. Got {pic.ndim} dimensions.')
    if pic.ndim == 2:
        pic = pic[:, :, None]
    img = torch.from_numpy(pic.transpose((2, 0, 1))).contiguous()
    if img.dtype == torch.uint8:
        return img.to(dtype=torch.get_default_dtype()).div(255)
    return img


def pil_to_tensor(pic):
    if not isinstance(pic, Image.Image):
        raise TypeError(f'pic should be PIL Image. Got {type(pic)}')
    d = {'I': torch.int32, 'I;16': torch.int16, 'F': torch.float32, '1': torch.bool}.get(pic._mode, torch.uint8)
    return torch._stand_in(torch.empty(tuple(get_dimensions(pic)), dtype=d))


def convert_image_dtype(image, dtype=torch.float):
    if not isinstance(image, torch.Tensor):
        raise TypeError('Input img should be Tensor Image')
    return image.to(dtype)


def to_pil_image(pic, mode=None):
    if isinstance(pic, torch.Tensor):
        if pic.ndim not in (2, 3):
            raise ValueError(f'pic should be 2/3 dimensional. Got {pic.ndim} dimensions.')
        c = 1 if pic.ndim == 2 else pic.shape[0]
        h, w = pic.shape[-2], pic.shape[-1]
    elif type(pic).__module__ == 'numpy':
        if pic.ndim not in (2, 3):
            raise ValueError(f'pic should be 2/3 dimensional. Got {pic.ndim} dimensions.')
        c = 1 if pic.ndim == 2 else pic.shape[2]
        h, w = pic.shape[0], pic.shape[1]
    else:
        raise TypeError(f'pic should be Tensor or ndarray. Got {type(pic)}.')
    if c > 4:
        raise ValueError(f'pic should not have > 4 channels. Got {c} channels.')
    return Image.Image((w, h), mode or {1: 'L', 2: 'LA', 3: 'RGB', 4: 'RGBA'}.get(c))


def normalize(tensor, mean, std, inplace=False):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f'img should be Tensor Image. Got {type(tensor)}')
    if not tensor.is_floating_point():
        raise TypeError(f'Input tensor should be a float tensor. Got {tensor.dtype}.')
    if tensor.ndim < 3:
        raise ValueError(f'Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}')
    if not inplace:
        tensor = tensor.clone()
    mean = torch.as_tensor(mean, dtype=tensor.dtype)
    std = torch.as_tensor(std, dtype=tensor.dtype)
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std)


def _pair(size):
    if isinstance(size, (int, float)):
        return int(size), int(size)
    if len(size) == 1:
        return size[0], size[0]
    return size[0], size[1]


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=None):
    _, h, w = get_dimensions(img)
    if isinstance(size, (list, tuple)) and len(size) == 2:
        if max_size is not None:
            raise ValueError('max_size should only be passed if size specifies the length of the smaller edge')
        return _sized(img, size[0], size[1])
    edge = size[0] if isinstance(size, (list, tuple)) else size
    if _shapecheck.is_symbolic(h) or _shapecheck.is_symbolic(w) or max_size is not None:
        if not _shapecheck.is_symbolic(h) and not _shapecheck.is_symbolic(w) and h == w and max_size is None:
            return _sized(img, edge, edge)
        lo = 1 if max_size is not None else edge
        return _sized(img, _shapecheck.data_int('h', lo), _shapecheck.data_int('w', lo))
    if w <= h:
        return _sized(img, int(edge * h / w), edge)
    return _sized(img, edge, int(edge * w / h))


def pad(img, padding, fill=0, padding_mode='constant'):
    _, h, w = get_dimensions(img)
    if isinstance(padding, int):
        left = top = right = bottom = padding
    elif len(padding) == 1:
        left = top = right = bottom = padding[0]
    elif len(padding) == 2:
        left, top = right, bottom = padding
    elif len(padding) == 4:
        left, top, right, bottom = padding
    else:
        raise ValueError(f'Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple')
    return _sized(img, h + top + bottom, w + left + right)


def crop(img, top, left, height, width):
    _check(img)
    return _sized(img, height, width)


def center_crop(img, output_size):
    _check(img)
    return _sized(img, *_pair(output_size))


def resized_crop(img, top, left, height, width, size, interpolation=None, antialias=None):
    return resize(crop(img, top, left, height, width), size)


def five_crop(img, size):
    _, h, w = get_dimensions(img)
    ch, cw = _pair(size)
    if not (_shapecheck.is_symbolic(w) or _shapecheck.is_symbolic(h)) and (cw > w or ch > h):
        raise ValueError(f'Requested crop size {(ch, cw)} is bigger than input size {(h, w)}')
    return tuple([_sized(img, ch, cw) for _ in range(5)])


def ten_crop(img, size, vertical_flip=False):
    return five_crop(img, size) + five_crop(img, size)


def rotate(img, angle, interpolation=None, expand=False, center=None, fill=None):
    _check(img)
    if not expand:
        return _same(img)
    return _sized(img, _shapecheck.data_int('h', 1), _shapecheck.data_int('w', 1))


def rgb_to_grayscale(img, num_output_channels=1):
    _, h, w = get_dimensions(img)
    if isinstance(img, Image.Image):
        return Image.Image((w, h), 'L' if num_output_channels == 1 else 'RGB')
    return torch._stand_in(img.new_empty(tuple(img.shape[:-3]) + (num_output_channels, h, w)))


to_grayscale = rgb_to_grayscale


def erase(img, i, j, h, w, v, inplace=False):
    return img.copy_(torch._stand_in(img)) if inplace else torch._stand_in(img)
