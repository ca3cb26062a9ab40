# This file defines the data sets that a folder holds, and made-up ones.
import _shapecheck
import torch
from PIL import Image
from .vision import VisionDataset


def default_loader(path):
    return Image.Image(None, 'RGB')


pil_loader = accimage_loader = default_loader


class DatasetFolder(VisionDataset):
    def __init__(self, root, loader=default_loader, extensions=None, transform=None, target_transform=None, is_valid_file=None, allow_empty=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.loader = loader
        self._n = _shapecheck.data_int('samples', 1)
        self._classes = _shapecheck.data_int('classes', 1)
        self._path = _shapecheck.data_str()
        self.classes = _shapecheck.open_list(_shapecheck.data_str(), self._classes)
        self.class_to_idx = _shapecheck.unknown('the names of the folders')
        self.targets = _shapecheck.open_list(self._label(), self._n)
        self.samples = _shapecheck.open_list((self._path, self._label()), self._n)

    def _label(self):
        return _shapecheck.data_int('label', 0)

    def __len__(self):
        return self._n

    def __getitem__(self, index):
        image = self.loader(self._path)
        target = self._label()
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


class ImageFolder(DatasetFolder):
    def __init__(self, root, transform=None, target_transform=None, loader=default_loader, is_valid_file=None, allow_empty=False):
        super().__init__(root, loader, None, transform, target_transform, is_valid_file)
        self.imgs = self.samples


class FakeData(VisionDataset):
    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        super().__init__(None, transform=transform, target_transform=target_transform)
        self.size = size
        self.num_classes = num_classes
        self.image_size = image_size
        self.random_offset = random_offset

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f'{self.__class__.__name__} index out of range')
        c, h, w = self.image_size
        image, _ = self._sample((w, h), {1: 'L', 3: 'RGB', 4: 'RGBA'}.get(c), 0)
        target = torch.randint(0, self.num_classes, size=(1,))[0]
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target.item() if isinstance(target, torch.Tensor) else target
