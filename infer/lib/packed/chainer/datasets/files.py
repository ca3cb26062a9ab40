# This file defines datasets of files: how many examples there are and how large pictures are nobody knows.
import _shapecheck
import numpy
from ..dataset import DatasetMixin
from .._config import get_dtype


def _picture(dtype):
    return numpy.zeros((_shapecheck.data_int('c', 1, 4), _shapecheck.data_int('h', 1), _shapecheck.data_int('w', 1)), dtype)


class _Files(DatasetMixin):
    _paths = None

    def __len__(self):
        if self._paths is None or isinstance(self._paths, str):
            return self._count
        return len(self._paths)


class ImageDataset(_Files):
    def __init__(self, paths, root='.', dtype=None):
        self._paths = paths
        self._count = _shapecheck.data_int('pictures', 1)
        self._dtype = get_dtype(dtype)

    def get_example(self, i):
        return _picture(self._dtype)


class LabeledImageDataset(_Files):
    def __init__(self, pairs, root='.', dtype=None, label_dtype=numpy.int32):
        self._paths = pairs
        self._count = _shapecheck.data_int('pictures', 1)
        self._dtype = get_dtype(dtype)
        self._label_dtype = label_dtype

    def get_example(self, i):
        return _picture(self._dtype), numpy.zeros((), self._label_dtype)


class ZippedImageDataset(ImageDataset):
    def __init__(self, zipfilename, dtype=None):
        super().__init__(zipfilename, dtype=dtype)


class MultiZippedImageDataset(ImageDataset):
    def __init__(self, zipfilenames, dtype=None):
        super().__init__('', dtype=dtype)


class LabeledZippedImageDataset(LabeledImageDataset):
    def __init__(self, zipfilename, labelfilename, dtype=None, label_dtype=numpy.int32):
        super().__init__(labelfilename, dtype=dtype, label_dtype=label_dtype)


class TextDataset(_Files):
    def __init__(self, paths, encoding=None, errors=None, newline=None, filter_func=None):
        self._several = not isinstance(paths, str)
        self._files = len(paths) if self._several else 1
        self._count = _shapecheck.data_int('lines')

    def get_example(self, idx):
        if idx < 0 or idx >= self._count:
            raise IndexError
        return tuple([_shapecheck.data_str() for _ in range(self._files)]) if self._several else _shapecheck.data_str()

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


class PickleDataset(_Files):
    def __init__(self, reader):
        self._count = _shapecheck.data_int('examples')

    def get_example(self, index):
        return _shapecheck.unknown('an example that was pickled')

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


class PickleDatasetWriter:
    def __init__(self, writer, protocol=-1):
        self._writer = writer

    def write(self, x):
        pass

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


def open_pickle_dataset(path):
    return PickleDataset(path)


def open_pickle_dataset_writer(path, protocol=-1):
    return PickleDatasetWriter(path)
