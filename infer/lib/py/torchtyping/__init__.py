# This file defines torchtyping's annotations. Subscripts add up: TensorType[3, 4][float]
# holds the items of both; the interpreter reads them.
from typing import Union


class _MetaTensorType(type):
    def __getitem__(cls, item):
        return _Tensor(cls, item if isinstance(item, tuple) else (item,), item == ())


class _Tensor:
    __shapecheck__ = "torchtyping tensor"

    def __init__(self, cls, items, scalar):
        self.cls = cls
        self.items = items
        self.scalar = scalar

    def __getitem__(self, item):
        return _Tensor(self.cls, self.items + (item if isinstance(item, tuple) else (item,)), self.scalar)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class TensorType(metaclass=_MetaTensorType):
    __shapecheck__ = "torchtyping"
    dtypes = None


class FloatTensorType(TensorType):
    dtypes = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


class NamedTensorType(TensorType):
    pass


class NamedFloatTensorType(FloatTensorType):
    pass


class TensorDetail:
    pass


def patch_typeguard():
    pass


is_named = None
is_float = None
