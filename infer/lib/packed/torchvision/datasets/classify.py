# This file defines the data sets of pictures with one class each.
import _shapecheck
import numpy as np
import torch
from .vision import VisionDataset, label, split_of


class _Classes(VisionDataset):
    # _side: of the pictures, None where it varies; _classes: how many; _sizes: by split.
    _side, _mode, _classes, _sizes = None, 'RGB', 10, {}

    def __init__(self, root, split, transform, target_transform):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = split
        self._n = self._sizes[split]

    @property
    def classes(self):
        return [str(i) for i in range(self._classes)]

    @property
    def class_to_idx(self):
        return {c: i for i, c in enumerate(self.classes)}

    @property
    def targets(self):
        return _shapecheck.open_list(label(self._classes), self._n)

    labels = _labels = targets

    def __len__(self):
        return self._n

    def __getitem__(self, index):
        if isinstance(index, int) and index >= self._n:
            raise IndexError('index out of range')
        return self._sample(None if self._side is None else (self._side, self._side), self._mode, label(self._classes))


class _TrainTest(_Classes):
    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, bool(train), transform, target_transform)
        self.train = train


class MNIST(_TrainTest):
    _side, _mode, _sizes = 28, 'L', {True: 60000, False: 10000}

    @property
    def data(self):
        return torch.zeros(self._n, 28, 28, dtype=torch.uint8)

    @property
    def targets(self):
        return torch.randint(0, self._classes, (self._n,))

    train_data = test_data = data
    train_labels = test_labels = targets


class FashionMNIST(MNIST):
    @property
    def classes(self):
        return ['T-shirt/top', 'Trouser', 'Pullover', 'Dress', 'Coat', 'Sandal', 'Shirt', 'Sneaker', 'Bag', 'Ankle boot']


class KMNIST(MNIST):
    pass


class QMNIST(MNIST):
    def __init__(self, root, what=None, compat=True, train=True, **kwargs):
        super().__init__(root, train, **kwargs)


class EMNIST(MNIST):
    _emnist = {'byclass': (62, 697932, 116323), 'bymerge': (47, 697932, 116323), 'balanced': (47, 112800, 18800),
               'letters': (37, 124800, 20800), 'digits': (10, 240000, 40000), 'mnist': (10, 60000, 10000)}

    def __init__(self, root, split, **kwargs):
        split_of(split, self._emnist)
        super().__init__(root, **kwargs)
        self.split = split
        self._classes, train, test = self._emnist[split]
        self._n = train if self.train else test


class CIFAR10(_TrainTest):
    _side, _sizes = 32, {True: 50000, False: 10000}

    @property
    def classes(self):
        return ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck']

    @property
    def data(self):
        return np.zeros((self._n, 32, 32, 3), dtype=np.uint8)


class CIFAR100(_TrainTest):
    _side, _classes, _sizes = 32, 100, {True: 50000, False: 10000}
    data = CIFAR10.data


class USPS(_TrainTest):
    _side, _mode, _sizes = 16, 'L', {True: 7291, False: 2007}


class _Split(_Classes):
    _name = 'split'

    def __init__(self, root, split='train', transform=None, target_transform=None, download=False, **kwargs):
        super().__init__(root, split_of(split, self._sizes, self._name), transform, target_transform)


class SVHN(_Split):
    _side, _sizes = 32, {'train': 73257, 'test': 26032, 'extra': 531131}

    @property
    def data(self):
        return np.zeros((self._n, 3, 32, 32), dtype=np.uint8)


class STL10(_Split):
    _side, _sizes = 96, {'train': 5000, 'test': 8000, 'unlabeled': 100000, 'train+unlabeled': 105000}

    def __init__(self, root, split='train', folds=None, transform=None, target_transform=None, download=False):
        super().__init__(root, split, transform, target_transform)
        if folds is not None and split.startswith('train'):
            self._n = self._n - 4000

    @property
    def data(self):
        return np.zeros((self._n, 3, 96, 96), dtype=np.uint8)


class ImageNet(_Split):
    _classes, _sizes = 1000, {'train': 1281167, 'val': 50000}


class Food101(_Split):
    _classes, _sizes = 101, {'train': 75750, 'test': 25250}


class GTSRB(_Split):
    _classes, _sizes = 43, {'train': 26640, 'test': 12630}


class Flowers102(_Split):
    _classes, _sizes = 102, {'train': 1020, 'val': 1020, 'test': 6149}


class StanfordCars(_Split):
    _classes, _sizes = 196, {'train': 8144, 'test': 8041}


class DTD(_Split):
    _classes, _sizes = 47, {'train': 1880, 'val': 1880, 'test': 1880}

    def __init__(self, root, split='train', partition=1, transform=None, target_transform=None, download=False):
        super().__init__(root, split, transform, target_transform)


class OxfordIIITPet(_Split):
    _classes, _sizes = 37, {'trainval': 3680, 'test': 3669}

    def __init__(self, root, split='trainval', target_types='category', transforms=None, transform=None, target_transform=None, download=False):
        super().__init__(root, split, transform, target_transform)
        self._types = target_types if isinstance(target_types, (list, tuple)) else [target_types]

    def __getitem__(self, index):
        if list(self._types) == ['category']:
            return super().__getitem__(index)
        return self._sample(None, 'RGB', _shapecheck.unknown('the segmentation of a picture'))


class PCAM(_Split):
    _side, _classes, _sizes = 96, 2, {'train': 262144, 'val': 32768, 'test': 32768}


class FER2013(_Split):
    _side, _mode, _classes, _sizes = 48, 'L', 7, {'train': 28709, 'test': 7178}


class _All(_Classes):
    def __init__(self, root, transform=None, target_transform=None, download=False, **kwargs):
        super().__init__(root, 'all', transform, target_transform)


class EuroSAT(_All):
    _side, _sizes = 64, {'all': 27000}


class SEMEION(_All):
    _side, _mode, _sizes = 16, 'L', {'all': 1593}


class SUN397(_All):
    _classes, _sizes = 397, {'all': 108754}


class CelebA(VisionDataset):
    _sizes = {'train': 162770, 'valid': 19867, 'test': 19962, 'all': 202599}

    def __init__(self, root, split='train', target_type='attr', transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = split_of(split.lower(), self._sizes)
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        if not self.target_type and self.target_transform is not None:
            raise RuntimeError('target_transform is specified but target_type is empty')

    def __len__(self):
        return self._sizes[self.split]

    def __getitem__(self, index):
        kinds = {'attr': (40,), 'identity': (), 'bbox': (4,), 'landmarks': (10,)}
        target = []
        for t in self.target_type:
            if t not in kinds:
                raise ValueError(f'Target type "{t}" is not recognized.')
            target.append(torch.zeros(kinds[t], dtype=torch.int64))
        if not target:
            target = None
        elif len(target) == 1:
            target = target[0]
        else:
            target = tuple(target)
        return self._sample((178, 218), 'RGB', target)
