# This file is torchvision.transforms.functional: what becomes of the size of a
# picture, which is a PIL picture or a tensor [..., H, W].
import enum
import _shapecheck
import torch
from PIL import Image
from torch.nn import functional as F


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


def _sized(img, h, w, what='crop at a random place'):
    # The same kind of picture with another size.
    if isinstance(img, Image.Image):
        return Image.Image((w, h), img._mode)
    return torch._stand_in(img.new_empty(tuple(img.shape[:-2]) + (h, w)), what=_NAME + what)


_NAME = 'torchvision.transforms.functional.'


def _same(img, what='a random operation'):
    _check(img)
    return img.copy() if isinstance(img, Image.Image) else torch._stand_in(img, what=_NAME + what)


def _keeps(name):
    def operation(img, *args, **kwargs):
        return _same(img, name)
    return operation


adjust_contrast, adjust_saturation, adjust_hue = _keeps('adjust_contrast'), _keeps('adjust_saturation'), _keeps('adjust_hue')
adjust_gamma, adjust_sharpness, autocontrast = _keeps('adjust_gamma'), _keeps('adjust_sharpness'), _keeps('autocontrast')
equalize, posterize, solarize = _keeps('equalize'), _keeps('posterize'), _keeps('solarize')
affine, perspective, gaussian_blur = _keeps('affine'), _keeps('perspective'), _keeps('gaussian_blur')
elastic_transform = _keeps('elastic_transform')


def hflip(img):
    return img.flip(-1) if isinstance(img, torch.Tensor) else _same(img)


def vflip(img):
    return img.flip(-2) if isinstance(img, torch.Tensor) else _same(img)


def _bound(dtype):
    return 1 if dtype.is_floating_point else 1 if dtype == torch.bool else torch.iinfo(dtype).max


def invert(img):
    return _bound(img.dtype) - img if isinstance(img, torch.Tensor) else _same(img)


def adjust_brightness(img, brightness_factor):
    if not isinstance(img, torch.Tensor):
        return _same(img)
    return (brightness_factor * img).clamp(0, _bound(img.dtype)).to(img.dtype)


def to_tensor(pic):
    if isinstance(pic, Image.Image):
        c, h, w = get_dimensions(pic)
        d = {'I': torch.int32, 'I;16': torch.int16, 'F': torch.float32}.get(pic._mode, torch.get_default_dtype())
        return torch._stand_in(torch.empty((c, h, w), dtype=d), what='the picture')
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
    return torch._stand_in(torch.empty(tuple(get_dimensions(pic)), dtype=d), what='the picture')


def convert_image_dtype(image, dtype=torch.float):
    if not isinstance(image, torch.Tensor):
        raise TypeError('Input img should be Tensor Image')
    if image.dtype == dtype:
        return image
    if image.is_floating_point():
        if dtype.is_floating_point:
            return image.to(dtype)
        return image.mul(_bound(dtype) + 1.0 - 1e-3).to(dtype)
    have = _bound(image.dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / have
    want = _bound(dtype)
    if have > want:
        return torch.div(image, (have + 1) // (want + 1), rounding_mode='floor').to(dtype)
    return image.to(dtype) * ((want + 1) // (have + 1))


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


def _resampled(img, h, w, interpolation, antialias):
    if isinstance(img, Image.Image):
        return _sized(img, h, w)
    mode = getattr(interpolation, 'value', 'unknown')
    if mode not in ('nearest', 'nearest-exact', 'bilinear', 'bicubic'):
        return _sized(img, h, w, 'resize')
    smooth = mode in ('bilinear', 'bicubic')
    whole = not img.is_floating_point()
    x = img.to(torch.float32) if whole else img
    batch = tuple(x.shape[:-3])
    if x.ndim != 4:
        x = x.reshape((-1,) + tuple(x.shape[-3:])) if x.ndim > 4 else x.unsqueeze(0) if x.ndim == 3 else x[None, None]
    x = F.interpolate(x, size=(h, w), mode=mode, align_corners=False if smooth else None, antialias=smooth and antialias is not False)
    if img.ndim != 4:
        x = x.reshape(batch + tuple(x.shape[-3:])) if img.ndim > 4 else x.squeeze(0) if img.ndim == 3 else x[0, 0]
    if not whole:
        return x
    if mode == 'bicubic':
        x = x.clamp(min=0, max=255)
    return x.round().to(img.dtype) if img.dtype == torch.uint8 or smooth else x.to(img.dtype)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    _, h, w = get_dimensions(img)
    if isinstance(size, (list, tuple)) and len(size) == 2:
        if max_size is not None:
            raise ValueError('max_size should only be passed if size specifies the length of the smaller edge')
        return _resampled(img, size[0], size[1], interpolation, antialias)
    edge = size[0] if isinstance(size, (list, tuple)) else size
    if _shapecheck.is_symbolic(h) or _shapecheck.is_symbolic(w) or max_size is not None:
        if not _shapecheck.is_symbolic(h) and not _shapecheck.is_symbolic(w) and h == w and max_size is None:
            return _resampled(img, edge, edge, interpolation, antialias)
        lo = 1 if max_size is not None else edge
        return _sized(img, _shapecheck.data_int('h', lo), _shapecheck.data_int('w', lo), 'resize to a size that is not known')
    if w <= h:
        return _resampled(img, int(edge * h / w), edge, interpolation, antialias)
    return _resampled(img, edge, int(edge * w / h), interpolation, antialias)


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
    if isinstance(img, torch.Tensor) and padding_mode == 'constant' and isinstance(fill, (int, float)):
        return F.pad(img, (left, right, top, bottom), value=fill)
    return _sized(img, h + top + bottom, w + left + right, 'pad')


def crop(img, top, left, height, width):
    _, h, w = get_dimensions(img)
    if isinstance(img, Image.Image):
        return _sized(img, height, width)
    numbers = (top, left, height, width, h, w)
    if any(_shapecheck.is_symbolic(n) for n in numbers) or top < 0 or left < 0 or top + height > h or left + width > w:
        return _sized(img, height, width, 'crop beyond the picture')
    return img[..., top:top + height, left:left + width]


def center_crop(img, output_size):
    ch, cw = _pair(output_size)
    _, h, w = get_dimensions(img)
    if isinstance(img, Image.Image) or any(_shapecheck.is_symbolic(n) for n in (h, w, ch, cw)) or ch > h or cw > w:
        return _sized(img, ch, cw, 'center_crop of unknown sizes')
    return crop(img, int(round((h - ch) / 2.0)), int(round((w - cw) / 2.0)), ch, cw)


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def five_crop(img, size):
    _, h, w = get_dimensions(img)
    ch, cw = _pair(size)
    if not (_shapecheck.is_symbolic(w) or _shapecheck.is_symbolic(h)) and (cw > w or ch > h):
        raise ValueError(f'Requested crop size {(ch, cw)} is bigger than input size {(h, w)}')
    if isinstance(img, Image.Image):
        return tuple([_sized(img, ch, cw) for _ in range(5)])
    corners = [crop(img, y, x, ch, cw) for y in (0, h - ch) for x in (0, w - cw)]
    return tuple(corners + [center_crop(img, [ch, cw])])


def ten_crop(img, size, vertical_flip=False):
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


def rotate(img, angle, interpolation=None, expand=False, center=None, fill=None):
    _check(img)
    if not expand:
        return _same(img, 'rotate')
    return _sized(img, _shapecheck.data_int('h', 1), _shapecheck.data_int('w', 1), 'rotate')


def rgb_to_grayscale(img, num_output_channels=1):
    _, h, w = get_dimensions(img)
    if isinstance(img, Image.Image):
        return Image.Image((w, h), 'L' if num_output_channels == 1 else 'RGB')
    shape = tuple(img.shape[:-3]) + (num_output_channels, h, w)
    if img.ndim < 3 or img.shape[-3] != 3:
        return torch._stand_in(img.new_empty(shape), what=_NAME + 'rgb_to_grayscale')
    r, g, b = img.unbind(dim=-3)
    return (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(dim=-3).expand(shape)


to_grayscale = rgb_to_grayscale


def erase(img, i, j, h, w, v, inplace=False):
    if not inplace:
        img = img.clone()
    img[..., i:i + h, j:j + w] = v
    return img
