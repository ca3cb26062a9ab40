# This file is chainer.dataset.
from .convert import ConcatWithAsyncTransfer, Converter, concat_examples, converter, to_device
from .dataset_mixin import DatasetMixin
from .download import cache_or_load_file, cached_download, get_dataset_directory, get_dataset_root, set_dataset_root
from .iterator import Iterator
from . import convert, dataset_mixin, download, iterator


def __getattr__(name):
    import _shapecheck
    if name in ('TabularDataset', 'tabular'):
        return _shapecheck.unknown('tables of examples are not modelled')
    raise AttributeError("module 'chainer.dataset' has no attribute '%s'" % name)
