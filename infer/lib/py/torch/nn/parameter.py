# This file defines Parameter, Buffer and their uninitialised forms.
import _shapecheck
import torch


class Parameter(torch.Tensor):
    """A tensor that a Module registers as a parameter when it is assigned."""

    def __new__(cls, data=None, requires_grad=True):
        return _shapecheck.make_parameter(cls, torch.empty(0) if data is None else data, requires_grad)


class Buffer(torch.Tensor):
    """A tensor that a Module registers as a buffer when it is assigned."""

    def __new__(cls, data=None, *, persistent=True):
        t = _shapecheck.make_buffer(cls, torch.empty(0) if data is None else data, False)
        t.persistent = persistent
        return t


class UninitializedTensorMixin:
    """A tensor without a shape; materialize gives it one."""

    def materialize(self, shape, device=None, dtype=None):
        if dtype is None:
            dtype = self.dtype
        self.data = torch.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError("Can't access the shape of an uninitialized parameter or buffer. "
                           'Call `forward` to initialize the parameters before accessing their attributes.')


def is_lazy(param):
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _shapecheck.make_parameter(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, torch.Tensor):
    cls_to_become = torch.Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        return _shapecheck.make_parameter(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)
