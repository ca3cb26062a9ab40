# This file defines the data sets for detection, captions and segmentation.
import _shapecheck
from PIL import Image
from .vision import VisionDataset


class _Pairs(VisionDataset):
    def __init__(self, root, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transforms, transform, target_transform)
        self._n = _shapecheck.data_int('samples', 1)

    def __len__(self):
        return self._n

    def _target(self, size):
        return _shapecheck.unknown('the annotations of a picture')

    def __getitem__(self, index):
        size = Image.Image().size
        image, target = Image.Image(size, 'RGB'), self._target(size)
        if self.transforms is not None:
            image, target = self.transforms(image, target)
        return image, target


class CocoDetection(_Pairs):
    def __init__(self, root, annFile, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transform, target_transform, transforms)
        self.ids = _shapecheck.unknown('the annotations of the pictures')
        self.coco = self.ids


class CocoCaptions(CocoDetection):
    def _target(self, size):
        return _shapecheck.open_list(_shapecheck.data_str(), _shapecheck.data_int('captions', 0))


class _VOC(_Pairs):
    def __init__(self, root, year='2012', image_set='train', download=False, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transform, target_transform, transforms)


class VOCDetection(_VOC):
    pass


class VOCSegmentation(_VOC):
    def _target(self, size):
        return Image.Image(size, 'P')


class Cityscapes(_Pairs):
    def __init__(self, root, split='train', mode='fine', target_type='instance', transform=None, target_transform=None, transforms=None):
        super().__init__(root, transform, target_transform, transforms)
        self._type = target_type

    def _target(self, size):
        if self._type in ('instance', 'semantic'):
            return Image.Image(size, 'I' if self._type == 'instance' else 'L')
        return super()._target(size)


class SBDataset(_Pairs):
    def __init__(self, root, image_set='train', mode='boundaries', download=False, transforms=None):
        super().__init__(root, transforms=transforms)
        self.mode = mode

    def _target(self, size):
        return Image.Image(size, 'P') if self.mode == 'segmentation' else super()._target(size)


class WIDERFace(_Pairs):
    def __init__(self, root, split='train', transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
