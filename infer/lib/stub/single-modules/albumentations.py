# Pipelines of albumentations: the sizes and types of what becomes of pictures, masks, boxes and
# points. A transform that is not known makes the pictures unknown.
import numpy as _np
import torch as _torch
from _shapecheck import data_int as _data_int, is_symbolic as _is_symbolic, is_unknown as _is_unknown, unknown as _unknown


def _lost(what):
    return _unknown('what ' + what + ' of albumentations makes of a picture')


def _whole(n):
    return not _is_unknown(n) and (_is_symbolic(n) or isinstance(n, int) and not isinstance(n, bool))


class _Transform:
    # _given are the arguments by their names, in the order of those that may stand without.
    _order = ()
    _p = 0.5

    def __init__(self, *args, **kwargs):
        self._given = dict(zip(self._order, args), **kwargs)
        self.p = self._given.get('p', self._p)

    def __call__(self, *args, force_apply=False, **data):
        return _apply([self], data)

    def _sides(self):
        # The height and the width that the arguments say; None.
        g = self._given
        size = g.get('size', g.get('height'))
        if isinstance(size, (tuple, list)) and len(size) == 2:
            height, width = size
        else:
            height, width = g.get('height'), g.get('width')
        return (height, width) if _whole(height) and _whole(width) else None

    def _made(self, a, mask):
        return a

    def _some(self, a, mask):
        # After the transform, which may be left out.
        if _is_unknown(self.p):
            return _lost(type(self).__name__)
        if self.p == 0 or _is_unknown(a) or not isinstance(a, (_np.ndarray, _torch.Tensor)):
            return a
        b = self._made(a, mask)
        if self.p == 1 or _is_unknown(b) or self._always:
            return b
        if type(a) is type(b) and a.dtype == b.dtype and len(a.shape) == len(b.shape):
            if all([not _is_symbolic(n) and not _is_symbolic(m) and n == m for n, m in zip(a.shape, b.shape)]) or b is a:
                return b
            return _np.empty((_data_int('h', 1), _data_int('w', 1)) + tuple(a.shape[2:]), a.dtype)
        return _lost(type(self).__name__)

    _always = False


class _Keeps(_Transform):
    pass


class _Sized(_Transform):
    _order = ('height', 'width')
    _p = 1.0

    def _made(self, a, mask):
        sides = self._sides()
        return _lost(type(self).__name__) if sides is None else _np.empty(tuple(sides) + tuple(a.shape[2:]), a.dtype)


class Resize(_Sized):
    pass


class RandomCrop(_Sized):
    pass


class CenterCrop(_Sized):
    pass


class RandomResizedCrop(_Sized):
    _order = ('size',)


class RandomSizedCrop(_Sized):
    _order = ('min_max_height', 'size')


class CropNonEmptyMaskIfExists(_Sized):
    pass


class _Some(_Transform):
    # Some size that the picture decides.
    _p = 1.0

    def _made(self, a, mask):
        return _np.empty((_data_int('h', 1), _data_int('w', 1)) + tuple(a.shape[2:]), a.dtype)


class LongestMaxSize(_Some):
    pass


class SmallestMaxSize(_Some):
    pass


class PadIfNeeded(_Transform):
    _order = ('min_height', 'min_width')
    _p = 1.0

    def _made(self, a, mask):
        out = []
        for n, name in ((a.shape[0], 'min_height'), (a.shape[1], 'min_width')):
            least = self._given.get(name, 1024)
            if not _whole(least) or self._given.get(name.replace('min', 'pad') + '_divisor') is not None:
                return _np.empty((_data_int('h', 1), _data_int('w', 1)) + tuple(a.shape[2:]), a.dtype)
            out.append(max(n, least))
        return _np.empty(tuple(out) + tuple(a.shape[2:]), a.dtype)


class _Turns(_Transform):
    # Turned by a quarter, or not.
    def _made(self, a, mask):
        h, w = a.shape[:2]
        if not _is_symbolic(h) and not _is_symbolic(w) and h == w:
            return a
        return _np.empty((_data_int('h', 1), _data_int('w', 1)) + tuple(a.shape[2:]), a.dtype)


class RandomRotate90(_Turns):
    pass


class Transpose(_Turns):
    pass


class D4(_Turns):
    _p = 1.0


class Normalize(_Transform):
    _p = 1.0

    def _made(self, a, mask):
        return a if mask else _np.empty(a.shape, _np.float32)


class ToFloat(Normalize):
    pass


class ToTensorV2(_Transform):
    _order = ('transpose_mask',)
    _p = 1.0
    _always = True

    def _made(self, a, mask):
        if not isinstance(a, _np.ndarray) or len(a.shape) not in (2, 3):
            return _lost('ToTensorV2')
        t = _torch.from_numpy(a)
        if len(a.shape) == 3 and (not mask or self._given.get('transpose_mask') is True):
            return t.permute(2, 0, 1)
        return t if mask else t.unsqueeze(0)


for _name in ('HorizontalFlip VerticalFlip Flip RandomBrightnessContrast RandomBrightness RandomContrast HueSaturationValue RGBShift ColorJitter CLAHE RandomGamma '
              'GaussNoise ISONoise MultiplicativeNoise Blur GaussianBlur MedianBlur MotionBlur Defocus Sharpen Emboss CoarseDropout Cutout GridDropout '
              'ShiftScaleRotate Affine Rotate SafeRotate Perspective ElasticTransform GridDistortion OpticalDistortion ImageCompression JpegCompression '
              'Downscale ChannelShuffle ChannelDropout InvertImg Posterize Equalize Solarize ToSepia RandomFog RandomRain RandomShadow RandomSnow RandomSunFlare '
              'FancyPCA PixelDropout UnsharpMask ToGray NoOp').split():
    globals()[_name] = type(_name, (_Keeps,), {})


class _Many(_Transform):
    _p = 1.0

    def __init__(self, transforms, *args, **kwargs):
        self.transforms = transforms
        super().__init__(*args, **kwargs)

    def __len__(self):
        return len(self.transforms)

    def __getitem__(self, i):
        return self.transforms[i]


class Sequential(_Many):
    _p = 0.5

    def _made(self, a, mask):
        for t in self.transforms:
            a = t._some(a, mask) if isinstance(t, _Transform) else _lost('a transform')
        return a


class OneOf(_Many):
    # One of them, or some: what all leave as it is stays.
    _p = 0.5

    def _made(self, a, mask):
        for t in self.transforms:
            b = t._some(a, mask) if isinstance(t, _Transform) else _lost('a transform')
            if b is not a:
                return _lost(type(self).__name__)
        return a


class SomeOf(OneOf):
    pass


class OneOrOther(OneOf):
    pass


class Compose(_Many):
    def __init__(self, transforms, bbox_params=None, keypoint_params=None, additional_targets=None, p=1.0, *args, **kwargs):
        self._targets = additional_targets or {}
        super().__init__(transforms, p=p)

    def __call__(self, *args, force_apply=False, **data):
        return _apply([self], data, self._targets)

    def _made(self, a, mask):
        return Sequential._made(self, a, mask)


ReplayCompose = Compose


class BboxParams:
    def __init__(self, *args, **kwargs):
        pass


class KeypointParams(BboxParams):
    pass


def _apply(transforms, data, targets=None):
    out = {}
    for name, a in data.items():
        kind = (targets or {}).get(name, name)
        if _is_unknown(kind) or kind not in ('image', 'mask', 'masks'):
            out[name] = _unknown('what becomes of boxes, points and labels')
        elif kind == 'masks':
            out[name] = [_through(transforms, m, True) for m in a] if isinstance(a, (list, tuple)) else _lost('a pipeline')
        else:
            out[name] = _through(transforms, a, kind == 'mask')
    return out


def _through(transforms, a, mask):
    if _is_unknown(a):
        return a
    for t in transforms:
        a = t._some(a, mask)
    return a
