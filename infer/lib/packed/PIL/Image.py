# This file defines pictures by their size and mode. Those of a file that is
# opened are not known: each side is some number from 1.
import _shapecheck
import numpy as np

NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)
ANTIALIAS = LANCZOS
FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE, TRANSVERSE = range(7)
AFFINE, EXTENT, PERSPECTIVE, QUAD, MESH = range(5)


class Resampling:
    NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)


class Transpose:
    FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE, TRANSVERSE = range(7)


class Transform:
    AFFINE, EXTENT, PERSPECTIVE, QUAD, MESH = range(5)


class UnidentifiedImageError(OSError):
    pass


_BANDS = {'1': 1, 'L': 1, 'P': 1, 'I': 1, 'F': 1, 'I;16': 1, 'LA': 2, 'RGB': 3, 'YCbCr': 3, 'LAB': 3, 'HSV': 3, 'RGBA': 4, 'CMYK': 4, 'RGBX': 4}
_TYPES = {'1': np.bool_, 'I': np.int32, 'F': np.float32, 'I;16': np.uint16}


class Image:
    format = None
    info = {}

    def __init__(self, size=None, mode=None):
        if size is None:
            size = (_shapecheck.data_int('w', 1), _shapecheck.data_int('h', 1))
        self._size = tuple(size)
        self._mode = mode

    @property
    def size(self):
        return self._size

    @property
    def width(self):
        return self._size[0]

    @property
    def height(self):
        return self._size[1]

    @property
    def mode(self):
        return _shapecheck.unknown('the mode of a picture in a file') if self._mode is None else self._mode

    def _bands(self):
        return _shapecheck.data_int('c', 1, 4) if self._mode is None else _BANDS[self._mode]

    def getbands(self):
        return tuple(self.mode)

    def __array__(self, dtype=None):
        if self._mode is None:
            return _shapecheck.unknown('the mode of a picture in a file')
        shape = (self.height, self.width)
        if self._bands() > 1:
            shape = shape + (self._bands(),)
        return np.zeros(shape, dtype if dtype is not None else _TYPES.get(self._mode, np.uint8))

    @property
    def __array_interface__(self):
        return self.__array__().__array_interface__

    def convert(self, mode=None, *args, **kwargs):
        return Image(self._size, mode or self._mode)

    def copy(self):
        return Image(self._size, self._mode)

    def resize(self, size, resample=None, box=None, reducing_gap=None):
        return Image((int(size[0]), int(size[1])), self._mode)

    def crop(self, box=None):
        if box is None:
            return self.copy()
        x0, y0, x1, y1 = [int(round(v)) for v in box]
        return Image((x1 - x0, y1 - y0), self._mode)

    def transpose(self, method):
        swap = method in (ROTATE_90, ROTATE_270, TRANSPOSE, TRANSVERSE)
        return Image(self._size[::-1] if swap else self._size, self._mode)

    def rotate(self, angle, resample=0, expand=False, center=None, translate=None, fillcolor=None):
        return Image(None if expand else self._size, self._mode)

    def transform(self, size, method, data=None, resample=0, fill=1, fillcolor=None):
        return Image(size, self._mode)

    def filter(self, filter):
        return self.copy()

    point = filter

    def thumbnail(self, size, resample=None, reducing_gap=None):
        self._size = (_shapecheck.data_int('w', 1), _shapecheck.data_int('h', 1))

    def split(self):
        return tuple([Image(self._size, 'L') for _ in range(self._bands())])

    def getchannel(self, channel):
        return Image(self._size, 'L')

    def getpixel(self, xy):
        return _shapecheck.unknown('the contents of a picture')

    getdata = getcolors = getextrema = getbbox = histogram = tobytes = getpixel

    def _nothing(self, *args, **kwargs):
        pass

    save = show = close = load = verify = seek = paste = putpixel = putpalette = putalpha = alpha_composite = _nothing

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _shapecheck.unknown('what pictures have besides sizes and modes')

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


def open(fp, mode='r', formats=None):
    return Image()


def new(mode, size, color=0):
    return Image(size, mode)


def fromarray(obj, mode=None):
    shape = obj.shape
    if mode is None:
        if len(shape) == 2:
            mode = {'uint8': 'L', 'int32': 'I', 'float32': 'F', 'bool': '1'}.get(str(obj.dtype))
        elif len(shape) == 3 and str(obj.dtype) == 'uint8':
            mode = {2: 'LA', 3: 'RGB', 4: 'RGBA'}.get(shape[2])
        if mode is None:
            raise TypeError('Cannot handle this data type: %s, %s' % ((1, 1) + tuple(shape[2:]), obj.dtype))
    return Image((shape[1], shape[0]), mode)


def merge(mode, bands):
    return Image(bands[0].size, mode)


def blend(im1, im2, alpha):
    return im1.copy()


def composite(image1, image2, mask):
    return image1.copy()


def alpha_composite(im1, im2):
    return im1.copy()
