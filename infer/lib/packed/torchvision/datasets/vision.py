# This file defines the base of the data sets: how samples are transformed.
import _shapecheck
from PIL import Image
import torch
from torch.utils.data import Dataset


class StandardTransform:
    def __init__(self, transform=None, target_transform=None):
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, input, target):
        if self.transform is not None:
            input = self.transform(input)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return input, target


class VisionDataset(Dataset):
    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError('Only transforms or transform/target_transform can be passed as argument')
        self.root = root
        self.transform = transform
        self.target_transform = target_transform
        if transform is not None or target_transform is not None:
            transforms = StandardTransform(transform, target_transform)
        self.transforms = transforms

    def _sample(self, size, mode, target):
        image = Image.Image(size, mode)
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


def split_of(split, allowed, name='split'):
    if split not in allowed:
        raise ValueError(f"Unknown value '{split}' for argument {name}. Valid values are {tuple(allowed)}.")
    return split


def label(classes):
    return _shapecheck.data_int('label', 0, classes - 1)
