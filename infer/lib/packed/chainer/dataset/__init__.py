# This file is chainer.dataset.
from .convert import ConcatWithAsyncTransfer, Converter, concat_examples, converter, to_device
from .dataset_mixin import DatasetMixin
from .download import cache_or_load_file, cached_download, get_dataset_directory, get_dataset_root, set_dataset_root
from .iterator import Iterator
from .tabular import TabularDataset
from . import convert, dataset_mixin, download, iterator, tabular
