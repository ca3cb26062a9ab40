# This file is chainer.datasets. A dataset that would be downloaded is known by its documentation: the number of its
# examples and their types.
from .kept import ConcatenatedDataset, DictDataset, SubDataset, TransformDataset, TupleDataset
from .kept import get_cross_validation_datasets, get_cross_validation_datasets_random, split_dataset, split_dataset_n, split_dataset_n_random, split_dataset_random
from .files import ImageDataset, LabeledImageDataset, LabeledZippedImageDataset, MultiZippedImageDataset, PickleDataset, PickleDatasetWriter, TextDataset
from .files import ZippedImageDataset, open_pickle_dataset, open_pickle_dataset_writer
from .downloaded import get_cifar10, get_cifar100, get_fashion_mnist, get_fashion_mnist_labels, get_kuzushiji_mnist, get_kuzushiji_mnist_labels, get_mnist
from .downloaded import get_ptb_words, get_ptb_words_vocabulary, get_svhn
