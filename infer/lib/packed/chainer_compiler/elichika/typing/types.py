# This file defines the types that chainer_compiler's annotations are made of:
# x: TyTorchTensor(np.float32, ("bsize", 3, "h", "w")).
import numpy as np


class _TyTensor:
    __shapecheck__ = "elichika tensor"

    def __init__(self, dtype=None, shape=None, ndim=None, kind=None):
        self.kind = kind  # the class, where the annotation names it
        self.dtype = dtype
        self.shape = shape
        self.ndim = ndim


class TyTensor(_TyTensor):
    def __init__(self, kind=None, dtype=None, shape=None, ndim=None):
        _TyTensor.__init__(self, dtype, shape, ndim)


def TyNdarray(dtype=None, shape=None, ndim=None):
    return _TyTensor(dtype, shape, ndim, "numpy.ndarray")


def TyChainerVariable(dtype=None, shape=None, ndim=None):
    return _TyTensor(dtype, shape, ndim, "chainer.Variable")


def TyTorchTensor(dtype=None, shape=None, ndim=None):
    return _TyTensor(dtype, shape, ndim, "torch.Tensor")


class _TyScalar:
    __shapecheck__ = "elichika scalar"

    def __init__(self, name):
        self.name = name


def TyInt(value=None):
    return _TyScalar("int")


def TyFloat(value=None):
    return _TyScalar("float")


def TyBool(value=None):
    return _TyScalar("bool")


def TyString(value=None):
    return _TyScalar("str")


def TyNone():
    return None
