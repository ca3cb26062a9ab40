# OpenCV: arrays of pictures by their sizes. A picture of a file has some size; that it
# cannot be read (None) is left out. Sizes are (width, height), shapes (height, width, channels).
import numpy as _np
from _shapecheck import data_int as _data_int, is_unknown as _is_unknown, unknown as _unknown

IMREAD_UNCHANGED, IMREAD_GRAYSCALE, IMREAD_COLOR, IMREAD_COLOR_BGR, IMREAD_ANYDEPTH, IMREAD_ANYCOLOR, IMREAD_COLOR_RGB = -1, 0, 1, 1, 2, 4, 256
INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA, INTER_LANCZOS4 = range(5)
BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101 = range(5)
BORDER_DEFAULT = BORDER_REFLECT101 = BORDER_REFLECT_101
ROTATE_90_CLOCKWISE, ROTATE_180, ROTATE_90_COUNTERCLOCKWISE = range(3)

COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
COLOR_BGR2RGB = COLOR_RGB2BGR = 4
COLOR_BGR2GRAY, COLOR_RGB2GRAY = 6, 7
COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
COLOR_BGRA2GRAY, COLOR_RGBA2GRAY = 10, 11
COLOR_BGR2YCrCb, COLOR_RGB2YCrCb, COLOR_YCrCb2BGR, COLOR_YCrCb2RGB = range(36, 40)
COLOR_BGR2HSV, COLOR_RGB2HSV = 40, 41
COLOR_BGR2LAB = COLOR_BGR2Lab = 44
COLOR_RGB2LAB = COLOR_RGB2Lab = 45
COLOR_HSV2BGR, COLOR_HSV2RGB = 54, 55
COLOR_LAB2BGR = COLOR_Lab2BGR = 56
COLOR_LAB2RGB = COLOR_Lab2RGB = 57
COLOR_BGR2YUV, COLOR_RGB2YUV, COLOR_YUV2BGR, COLOR_YUV2RGB = range(82, 86)

# The channels that a conversion gives; 0: the axis is left out.
_CHANNELS = {0: 4, 1: 3, 2: 4, 3: 3, 4: 3, 6: 0, 7: 0, 8: 3, 10: 0, 11: 0, 36: 3, 37: 3, 38: 3, 39: 3, 40: 3, 41: 3, 44: 3, 45: 3, 54: 3, 55: 3, 56: 3,
             57: 3, 82: 3, 83: 3, 84: 3, 85: 3}


def _picture(height, width, like, channels=None):
    # A picture of a size with the channels of another; one channel alone has no axis.
    if channels is None:
        channels = like.shape[2] if len(like.shape) > 2 else 0
        if channels == 1:
            channels = 0
    return _np.empty((height, width, channels) if channels else (height, width), like.dtype)


def imread(filename, flags=IMREAD_COLOR):
    size = (_data_int('h', 1), _data_int('w', 1))
    if _is_unknown(flags) or flags not in (IMREAD_GRAYSCALE, IMREAD_COLOR, IMREAD_COLOR_RGB):
        return _unknown('a picture whose channels the file decides')
    return _np.empty(size if flags == IMREAD_GRAYSCALE else size + (3,), _np.uint8)


def cvtColor(src, code, dst=None, dstCn=0, *args):
    if _is_unknown(src) or _is_unknown(code) or code not in _CHANNELS or dstCn:
        return _unknown('a conversion of colours that is not known')
    return _picture(src.shape[0], src.shape[1], src, _CHANNELS[code])


def resize(src, dsize, dst=None, fx=0, fy=0, interpolation=INTER_LINEAR):
    if _is_unknown(src) or _is_unknown(dsize):
        return _unknown('a picture of a size that is not known')
    if len(src.shape) < 2:
        return _unknown('a row of numbers as a picture')
    if dsize is None or len(dsize) != 2 or any([_is_unknown(n) for n in dsize]):
        return _picture(round(src.shape[0] * fy), round(src.shape[1] * fx), src) if dsize is None else _unknown('a picture of a size that is not known')
    if dsize[0] == 0 and dsize[1] == 0:
        return _picture(round(src.shape[0] * fy), round(src.shape[1] * fx), src)
    width, height = dsize
    return _picture(int(height), int(width), src)


def _same(src, *args, **kwargs):
    return _unknown('a picture that is not known') if _is_unknown(src) or len(src.shape) < 2 else _picture(src.shape[0], src.shape[1], src)


GaussianBlur = medianBlur = flip = bilateralFilter = erode = dilate = _same


def rotate(src, rotateCode, dst=None):
    if _is_unknown(src) or _is_unknown(rotateCode):
        return _unknown('a picture that is turned by an angle that is not known')
    height, width = src.shape[:2]
    return _picture(height, width, src) if rotateCode == ROTATE_180 else _picture(width, height, src)


def copyMakeBorder(src, top, bottom, left, right, borderType, dst=None, value=None):
    return src if _is_unknown(src) else _picture(src.shape[0] + top + bottom, src.shape[1] + left + right, src)


def warpAffine(src, M, dsize, *args, **kwargs):
    if _is_unknown(src) or _is_unknown(dsize):
        return _unknown('a picture of a size that is not known')
    return _picture(int(dsize[1]), int(dsize[0]), src)


warpPerspective = warpAffine


def Canny(image, *args, **kwargs):
    return image if _is_unknown(image) else _np.empty(image.shape[:2], _np.uint8)


def _nothing(*args, **kwargs):
    pass


imshow = destroyAllWindows = destroyWindow = namedWindow = setNumThreads = _nothing
