# This file is PIL.ImageOps: what keeps the size of a picture, and what does not.
from .Image import Image


def autocontrast(image, *args, **kwargs):
    return image.copy()


def equalize(image, *args, **kwargs):
    return image.copy()


def flip(image, *args, **kwargs):
    return image.copy()


def invert(image, *args, **kwargs):
    return image.copy()


def mirror(image, *args, **kwargs):
    return image.copy()


def posterize(image, *args, **kwargs):
    return image.copy()


def solarize(image, *args, **kwargs):
    return image.copy()


def grayscale(image):
    return image.convert('L')


def exif_transpose(image, *, in_place=False):
    return Image(None, image._mode)


def fit(image, size, *args, **kwargs):
    return Image(size, image._mode)


def pad(image, size, *args, **kwargs):
    return Image(size, image._mode)


def expand(image, border=0, fill=0):
    if isinstance(border, int):
        border = (border,) * 4
    elif len(border) == 2:
        border = border * 2
    return Image((image.width + border[0] + border[2], image.height + border[1] + border[3]), image._mode)
