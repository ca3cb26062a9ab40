# This file is torchvision.transforms.v2: the transforms take pictures with labels and targets. The
# first tensor or picture is transformed, other tensors, numbers and texts are given back.
import torch
from PIL import Image as _Image
from torch import nn
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown
from . import functional
from .. import augment as _augment, transforms as _transforms
from ..functional import InterpolationMode, _same
from ..augment import AutoAugmentPolicy


def _applied(f, value, found):
    # The value with its first picture transformed; found holds whether that is done.
    if _is_unknown(value):
        return _unknown('what a transform makes of a value that is not known')
    if isinstance(value, dict):
        return {k: _applied(f, v, found) for k, v in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, '_fields'):
        return type(value)([_applied(f, v, found) for v in value])
    picture = isinstance(value, (torch.Tensor, _Image.Image)) or type(value).__module__ == 'numpy' and hasattr(value, 'ndim')
    if not picture or found:
        return value
    found.append(True)
    return f(value)


class Transform(nn.Module):
    def make_params(self, flat_inputs):
        return {}

    def transform(self, inpt, params):
        raise NotImplementedError

    def forward(self, *inputs):
        params = self.make_params(list(inputs))
        value = inputs if len(inputs) > 1 else inputs[0]
        return _applied(lambda x: self.transform(x, params), value, [])


def _of(names, module):
    for name in names.split():
        globals()[name] = _class(name, getattr(module, name))


def _class(name, old):
    class New(Transform):
        def __init__(self, *args, **kwargs):
            super().__init__()
            self._old = [old(*args, **kwargs)]

        def transform(self, inpt, params):
            return self._old[0](inpt)

        def __getattr__(self, attribute):
            if attribute == '_old' or attribute.startswith('__'):
                raise AttributeError(attribute)
            return getattr(self._old[0], attribute)

    New.__name__ = New.__qualname__ = name
    return New


_of('ConvertImageDtype ToPILImage Normalize Resize CenterCrop Pad RandomCrop RandomResizedCrop RandomRotation Grayscale RandomErasing LinearTransformation '
    'FiveCrop TenCrop ToTensor PILToTensor', _transforms)
_of('RandomHorizontalFlip RandomVerticalFlip RandomPerspective ColorJitter RandomAffine RandomGrayscale GaussianBlur RandomInvert RandomPosterize RandomSolarize '
    'RandomAdjustSharpness RandomAutocontrast RandomEqualize ElasticTransform AutoAugment RandAugment TrivialAugmentWide AugMix', _augment)
ConvertDtype = ConvertImageDtype


class _Keeps(Transform):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def transform(self, inpt, params):
        return _same(inpt)


class RandomPhotometricDistort(_Keeps):
    pass


class RandomChannelPermutation(_Keeps):
    pass


class GaussianNoise(_Keeps):
    pass


class JPEG(_Keeps):
    pass


class Identity(Transform):
    def transform(self, inpt, params):
        return inpt


class ToPureTensor(Identity):
    pass


class ClampBoundingBoxes(Identity):
    pass


class SanitizeBoundingBoxes(Identity):
    def __init__(self, *args, **kwargs):
        super().__init__()


class ToImage(Transform):
    def transform(self, inpt, params):
        return functional.to_image(inpt)


class ToDtype(Transform):
    def __init__(self, dtype, scale=False):
        super().__init__()
        self.dtype = dtype
        self.scale = scale

    def transform(self, inpt, params):
        if not isinstance(inpt, torch.Tensor):
            return inpt
        if not isinstance(self.dtype, torch.dtype):
            return _unknown('a picture whose type depends on its kind')
        return functional.to_dtype(inpt, self.dtype, self.scale)


class Lambda(Transform):
    def __init__(self, lambd, *types):
        super().__init__()
        self.lambd = lambd

    def transform(self, inpt, params):
        return self.lambd(inpt)


class UniformTemporalSubsample(Transform):
    def __init__(self, num_samples):
        super().__init__()
        self.num_samples = num_samples

    def transform(self, inpt, params):
        return torch._stand_in(inpt[..., :1, :, :, :].expand(inpt.shape[:-4] + (self.num_samples,) + inpt.shape[-3:]), what='frames of a video')


class _Sized(Transform):
    # The picture gets a size that chance decides.
    def __init__(self, *args, **kwargs):
        super().__init__()

    def transform(self, inpt, params):
        return _unknown('a picture of a size that chance decides')


class RandomShortestSize(_Sized):
    pass


class RandomResize(_Sized):
    pass


class ScaleJitter(_Sized):
    pass


class RandomZoomOut(_Sized):
    pass


class RandomIoUCrop(_Sized):
    pass


class _Mixed(nn.Module):
    # Pictures of a batch are mixed, and so are their labels: one number for each class.
    def __init__(self, *, alpha=1.0, num_classes=None, labels_getter='default'):
        super().__init__()
        self.alpha = float(alpha)
        self.num_classes = num_classes
        self._plain = labels_getter == 'default'

    def forward(self, *inputs):
        batch = inputs if len(inputs) > 1 else inputs[0]
        if not self._plain or not isinstance(batch, (tuple, list)) or len(batch) != 2 or not isinstance(batch[1], torch.Tensor):
            return _unknown('a mixed batch')
        images, labels = batch
        if labels.ndim not in (1, 2):
            raise ValueError(f'labels should be index based with shape (batch_size,) or probability based with shape (batch_size, num_classes), '
                             f'but got a tensor of shape {labels.shape} instead.')
        if labels.ndim == 1:
            if self.num_classes is None:
                raise ValueError('num_classes must be passed if the labels are index-based (batch_size,)')
            labels = nn.functional.one_hot(labels, num_classes=self.num_classes)
        if not labels.is_floating_point():
            labels = labels.float()
        return type(batch)((_same(images), torch._stand_in(labels, what='mixed labels')))


class MixUp(_Mixed):
    pass


class CutMix(_Mixed):
    pass


class Compose(Transform):
    def __init__(self, transforms):
        super().__init__()
        if not isinstance(transforms, (list, tuple)) or len(transforms) == 0:
            raise ValueError('Pass at least one transform')
        self.transforms = transforms

    def forward(self, *inputs):
        value = inputs if len(inputs) > 1 else inputs[0]
        for t in self.transforms:
            value = t(*value) if len(inputs) > 1 else t(value)
        return value


class RandomOrder(Compose):
    pass


class RandomApply(Compose):
    def __init__(self, transforms, p=0.5):
        super().__init__(transforms)
        self.p = p

    def forward(self, *inputs):
        if self.p <= torch.rand(1):
            return inputs if len(inputs) > 1 else inputs[0]
        return super().forward(*inputs)


class RandomChoice(Compose):
    def __init__(self, transforms, p=None):
        super().__init__(transforms)

    def forward(self, *inputs):
        return self.transforms[0](*inputs)
