# This file defines datasets of what the program has.
import numpy
from ..dataset import DatasetMixin


class TupleDataset:
    def __init__(self, *datasets):
        if not datasets:
            raise ValueError('no datasets are given')
        n = len(datasets[0])
        for i, dataset in enumerate(datasets):
            if len(dataset) != n:
                raise ValueError('dataset of the index {} has a wrong length'.format(i))
        self._datasets = datasets
        self._length = n

    def __getitem__(self, index):
        batches = [dataset[index] for dataset in self._datasets]
        if isinstance(index, (slice, list, numpy.ndarray)):
            return [tuple([batch[i] for batch in batches]) for i in range(len(batches[0]))]
        return tuple(batches)

    def __len__(self):
        return self._length


class DictDataset:
    def __init__(self, **datasets):
        if not datasets:
            raise ValueError('no datasets are given')
        n = None
        for key, dataset in datasets.items():
            if n is None:
                n = len(dataset)
            elif n != len(dataset):
                raise ValueError('dataset length conflicts at "{}"'.format(key))
        self._datasets = datasets
        self._length = n

    def __getitem__(self, index):
        batches = {key: dataset[index] for key, dataset in self._datasets.items()}
        if isinstance(index, slice):
            n = len(next(iter(batches.values())))
            return [{key: batch[i] for key, batch in batches.items()} for i in range(n)]
        return batches

    def __len__(self):
        return self._length


class ConcatenatedDataset(DatasetMixin):
    def __init__(self, *datasets):
        self._datasets = datasets

    def __len__(self):
        return sum([len(dataset) for dataset in self._datasets])

    def get_example(self, i):
        if i < 0:
            raise IndexError
        for dataset in self._datasets:
            if i < len(dataset):
                return dataset[i]
            i -= len(dataset)
        raise IndexError


class TransformDataset(DatasetMixin):
    def __init__(self, dataset, transform):
        self._dataset = dataset
        self._transform = transform

    def __len__(self):
        return len(self._dataset)

    def get_example(self, i):
        return self._transform(self._dataset[i])


class SubDataset(DatasetMixin):
    def __init__(self, dataset, start, finish, order=None):
        if start < 0 or finish > len(dataset):
            raise ValueError('subset overruns the base dataset.')
        if order is not None and len(order) != len(dataset):
            raise ValueError('order option must have the same length as the base dataset: len(order) = {} while len(dataset) = {}'.format(len(order), len(dataset)))
        self._dataset = dataset
        self._start = start
        self._finish = finish
        self._size = finish - start
        self._order = order

    def __len__(self):
        return self._size

    def get_example(self, i):
        if i >= 0:
            if i >= self._size:
                raise IndexError('dataset index out of range')
            index = self._start + i
        else:
            if i < -self._size:
                raise IndexError('dataset index out of range')
            index = self._finish + i
        if self._order is not None:
            index = self._order[index]
        return self._dataset[index]


def split_dataset(dataset, split_at, order=None):
    n = len(dataset)
    if not isinstance(split_at, (int, numpy.integer)):
        raise TypeError('split_at must be int, got {} instead'.format(type(split_at)))
    if split_at < 0:
        raise ValueError('split_at must be non-negative')
    if split_at > n:
        raise ValueError('split_at exceeds the dataset size')
    return SubDataset(dataset, 0, split_at, order), SubDataset(dataset, split_at, n, order)


def split_dataset_random(dataset, first_size, seed=None):
    return split_dataset(dataset, first_size, numpy.random.permutation(len(dataset)))


def split_dataset_n(dataset, n, order=None):
    size = len(dataset) // n
    return [SubDataset(dataset, size * i, size * (i + 1), order) for i in range(n)]


def split_dataset_n_random(dataset, n, seed=None):
    size = len(dataset) // n
    order = numpy.random.permutation(len(dataset))
    return [SubDataset(dataset, size * i, size * (i + 1), order) for i in range(n)]


def get_cross_validation_datasets(dataset, n_folds=None, order=None, **kwargs):
    """For each fold what is left of the dataset, and the fold."""
    if n_folds is None:
        n_folds = kwargs.pop('n_fold')
    if order is None:
        order = numpy.arange(len(dataset))
    else:
        order = numpy.array(order)
    whole = len(dataset)
    borders = [whole * i // n_folds for i in range(n_folds + 1)]
    folds = []
    for i in reversed(range(n_folds)):
        size = borders[i + 1] - borders[i]
        folds.append((SubDataset(dataset, 0, whole - size, order), SubDataset(dataset, whole - size, whole, order)))
        order = numpy.concatenate([order[whole - size:], order[:whole - size]])
    return folds


def get_cross_validation_datasets_random(dataset, n_folds, seed=None, **kwargs):
    return get_cross_validation_datasets(dataset, n_folds, numpy.random.permutation(len(dataset)))
