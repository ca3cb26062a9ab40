# This file defines the transforms that change the size or kind of a picture.
import _shapecheck
import torch
from torch import nn
from . import functional as F
from .functional import InterpolationMode

__all__ = ['Compose', 'ToTensor', 'PILToTensor', 'ConvertImageDtype', 'ToPILImage', 'Normalize', 'Resize', 'Scale', 'CenterCrop', 'Pad', 'Lambda',
           'RandomTransforms', 'RandomApply', 'RandomChoice', 'RandomOrder', 'RandomCrop', 'RandomResizedCrop', 'RandomSizedCrop', 'FiveCrop', 'TenCrop',
           'LinearTransformation', 'RandomRotation', 'Grayscale', 'RandomErasing', 'InterpolationMode']


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img


class ToTensor:
    def __call__(self, pic):
        return F.to_tensor(pic)


class PILToTensor:
    def __call__(self, pic):
        return F.pil_to_tensor(pic)


class ConvertImageDtype(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        return F.convert_image_dtype(image, self.dtype)


class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return F.to_pil_image(pic, self.mode)


class Normalize(nn.Module):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor):
        return F.normalize(tensor, self.mean, self.std, self.inplace)


class Resize(nn.Module):
    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=None):
        super().__init__()
        if not isinstance(size, (int, list, tuple)):
            raise TypeError(f'Size should be int or sequence. Got {type(size)}')
        if isinstance(size, (list, tuple)) and len(size) not in (1, 2):
            raise ValueError('If size is a sequence, it should have 1 or 2 values')
        self.size = size
        self.max_size = max_size
        self.interpolation = interpolation

    def forward(self, img):
        return F.resize(img, self.size, self.interpolation, self.max_size)


Scale = Resize


class CenterCrop(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = F._pair(size)

    def forward(self, img):
        return F.center_crop(img, self.size)


class Pad(nn.Module):
    def __init__(self, padding, fill=0, padding_mode='constant'):
        super().__init__()
        self.padding = padding

    def forward(self, img):
        return F.pad(img, self.padding)


class Lambda:
    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f'Argument lambd should be callable, got {type(lambd).__name__!r}')
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class RandomTransforms:
    def __init__(self, transforms):
        self.transforms = transforms


# Where the steps leave the size as it is, whether they are taken matters not.
class RandomApply(nn.Module):
    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, img):
        if self.p < torch.rand(1):
            return img
        for t in self.transforms:
            img = t(img)
        return img


class RandomOrder(RandomTransforms):
    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img


class RandomChoice(RandomTransforms):
    def __init__(self, transforms, p=None):
        super().__init__(transforms)

    def __call__(self, img):
        return self.transforms[0](img)


class RandomCrop(nn.Module):
    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode='constant'):
        super().__init__()
        self.size = F._pair(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    @staticmethod
    def get_params(img, output_size):
        _, h, w = F.get_dimensions(img)
        th, tw = output_size
        if not (_shapecheck.is_symbolic(h) or _shapecheck.is_symbolic(w)):
            if h < th or w < tw:
                raise ValueError(f'Required crop size {(th, tw)} is larger than input image size {(h, w)}')
            if w == tw and h == th:
                return 0, 0, h, w
        return _shapecheck.data_int('i', 0), _shapecheck.data_int('j', 0), th, tw

    def forward(self, img):
        if self.padding is not None:
            img = F.pad(img, self.padding)
        _, h, w = F.get_dimensions(img)
        th, tw = self.size
        if not self.pad_if_needed and not (_shapecheck.is_symbolic(h) or _shapecheck.is_symbolic(w)) and (h < th or w < tw):
            raise ValueError(f'Required crop size {(th, tw)} is larger than input image size {(h, w)}')
        return F._sized(img, th, tw)


class RandomResizedCrop(nn.Module):
    def __init__(self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=InterpolationMode.BILINEAR, antialias=None):
        super().__init__()
        self.size = F._pair(size)
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation
        self.antialias = antialias

    @staticmethod
    def get_params(img, scale, ratio):
        return _shapecheck.data_int('i', 0), _shapecheck.data_int('j', 0), _shapecheck.data_int('h'), _shapecheck.data_int('w')

    def forward(self, img):
        F._check(img)
        return F._sized(img, *self.size)


RandomSizedCrop = RandomResizedCrop


class FiveCrop(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = F._pair(size)

    def forward(self, img):
        return F.five_crop(img, self.size)


class TenCrop(FiveCrop):
    def __init__(self, size, vertical_flip=False):
        super().__init__(size)

    def forward(self, img):
        return F.ten_crop(img, self.size)


class LinearTransformation(nn.Module):
    def __init__(self, transformation_matrix, mean_vector):
        super().__init__()
        self.transformation_matrix = transformation_matrix
        self.mean_vector = mean_vector

    def forward(self, tensor):
        flat = tensor.view(-1, tensor.shape[-3] * tensor.shape[-2] * tensor.shape[-1]) - self.mean_vector
        return torch.mm(flat, self.transformation_matrix).view(tensor.shape)


class RandomRotation(nn.Module):
    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0, resample=None):
        super().__init__()
        self.expand = expand

    def forward(self, img):
        return F.rotate(img, 0, expand=self.expand)


class Grayscale(nn.Module):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return F.rgb_to_grayscale(img, self.num_output_channels)


class RandomErasing(nn.Module):
    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        super().__init__()

    def forward(self, img):
        if not isinstance(img, torch.Tensor):
            raise AttributeError("'Image' object has no attribute 'shape'")
        return img
