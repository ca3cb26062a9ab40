# This file gives the datasets that Chainer downloads.
import _shapecheck
import numpy
from .._config import get_dtype
from .kept import TupleDataset


def _labelled(images, classes, withlabel, label_dtype=numpy.int32):
    if not withlabel:
        return images
    return TupleDataset(images, numpy.random.randint(0, classes, len(images)).astype(label_dtype))


def _mnist(withlabel, ndim, dtype, label_dtype, rgb_format):
    if ndim not in (1, 2, 3):
        raise ValueError('invalid ndim for MNIST dataset')
    shape = {1: (784,), 2: (28, 28), 3: (3 if rgb_format else 1, 28, 28)}[ndim]
    return tuple([_labelled(numpy.zeros((n,) + shape, get_dtype(dtype)), 10, withlabel, label_dtype) for n in (60000, 10000)])


def get_mnist(withlabel=True, ndim=1, scale=1., dtype=None, label_dtype=numpy.int32, rgb_format=False):
    return _mnist(withlabel, ndim, dtype, label_dtype, rgb_format)


def get_fashion_mnist(withlabel=True, ndim=1, scale=1., dtype=None, label_dtype=numpy.int32, rgb_format=False):
    return _mnist(withlabel, ndim, dtype, label_dtype, rgb_format)


def get_kuzushiji_mnist(withlabel=True, ndim=1, scale=1., dtype=None, label_dtype=numpy.int32, rgb_format=False):
    return _mnist(withlabel, ndim, dtype, label_dtype, rgb_format)


def get_fashion_mnist_labels():
    return ['T-shirt/top', 'Trouser', 'Pullover', 'Dress', 'Coat', 'Sandal', 'Shirt', 'Sneaker', 'Bag', 'Ankle boot']


def get_kuzushiji_mnist_labels():
    return [('o', 'お'), ('ki', 'き'), ('su', 'す'), ('tsu', 'つ'), ('na', 'な'), ('ha', 'は'), ('ma', 'ま'), ('ya', 'や'), ('re', 'れ'), ('wo', 'を')]


def _cifar(classes, withlabel, ndim, dtype):
    if ndim not in (1, 3):
        raise ValueError('invalid ndim for CIFAR dataset')
    shape = (3072,) if ndim == 1 else (3, 32, 32)
    return tuple([_labelled(numpy.zeros((n,) + shape, get_dtype(dtype)), classes, withlabel) for n in (50000, 10000)])


def get_cifar10(withlabel=True, ndim=3, scale=1., dtype=None):
    return _cifar(10, withlabel, ndim, dtype)


def get_cifar100(withlabel=True, ndim=3, scale=1., dtype=None):
    return _cifar(100, withlabel, ndim, dtype)


def get_svhn(withlabel=True, scale=1., dtype=None, label_dtype=numpy.int32, add_extra=False):
    sizes = (73257, 26032) + ((531131,) if add_extra else ())
    return tuple([_labelled(numpy.zeros((n, 3, 32, 32), get_dtype(dtype)), 10, withlabel, label_dtype) for n in sizes])


def get_ptb_words():
    return tuple([numpy.random.randint(0, 10000, n).astype(numpy.int32) for n in (929589, 73760, 82430)])


def get_ptb_words_vocabulary():
    return _shapecheck.open_dict({}, _shapecheck.data_int('id', 0, 9999))
