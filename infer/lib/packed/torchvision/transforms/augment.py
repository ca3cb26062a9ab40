# This file defines the transforms that leave size and kind of a picture alone.
from torch import nn
from . import functional as F

__all__ = ['RandomHorizontalFlip', 'RandomVerticalFlip', 'RandomPerspective', 'ColorJitter', 'RandomAffine', 'RandomGrayscale', 'GaussianBlur',
           'RandomInvert', 'RandomPosterize', 'RandomSolarize', 'RandomAdjustSharpness', 'RandomAutocontrast', 'RandomEqualize', 'ElasticTransform',
           'AutoAugmentPolicy', 'AutoAugment', 'RandAugment', 'TrivialAugmentWide', 'AugMix']


class _Keeps(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, img):
        return F._same(img)


class RandomHorizontalFlip(_Keeps):
    pass


class RandomVerticalFlip(_Keeps):
    pass


class RandomPerspective(_Keeps):
    pass


class ColorJitter(_Keeps):
    pass


class RandomAffine(_Keeps):
    pass


class RandomGrayscale(_Keeps):
    pass


class GaussianBlur(_Keeps):
    pass


class RandomInvert(_Keeps):
    pass


class RandomPosterize(_Keeps):
    pass


class RandomSolarize(_Keeps):
    pass


class RandomAdjustSharpness(_Keeps):
    pass


class RandomAutocontrast(_Keeps):
    pass


class RandomEqualize(_Keeps):
    pass


class ElasticTransform(_Keeps):
    pass


class AutoAugmentPolicy:
    IMAGENET = 'imagenet'
    CIFAR10 = 'cifar10'
    SVHN = 'svhn'


class AutoAugment(_Keeps):
    pass


class RandAugment(_Keeps):
    pass


class TrivialAugmentWide(_Keeps):
    pass


class AugMix(_Keeps):
    pass
