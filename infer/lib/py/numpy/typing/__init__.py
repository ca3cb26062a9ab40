# This file defines the names that annotations use.
from typing import Any
from numpy import ndarray

ArrayLike = Any
DTypeLike = Any


class NDArray:
    def __class_getitem__(cls, item):
        return ndarray
