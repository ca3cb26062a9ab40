# This file defines jaxtyping's annotations. A dtype class that is subscripted
# makes an _Array, which the interpreter reads; __shapecheck__ marks both.
from typing import Any, Union

import _shapecheck


class _MetaAbstractDtype(type):
    def __getitem__(cls, item):
        if not isinstance(item, tuple) or len(item) != 2:
            raise ValueError("an annotation needs an array type and a shape: Float[Array, 'foo bar']")
        return _Array(cls, item[0], item[1])


class AbstractDtype(metaclass=_MetaAbstractDtype):
    __shapecheck__ = "jaxtyping"
    dtypes = None


class _Array:
    __shapecheck__ = "jaxtyping array"

    def __init__(self, dtype, array_type, dim_str):
        self.dtype = dtype
        self.array_type = array_type
        self.dim_str = dim_str

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __instancecheck__(self, obj):
        return _shapecheck.matches_annotation(obj, self)

    def __call__(self, *args, **kwargs):
        raise TypeError("an annotation cannot be called")


class AbstractArray:
    pass


_bools = ["bool"]
_uints = ["uint8", "uint16", "uint32", "uint64"]
_ints = ["int8", "int16", "int32", "int64"]
_floats = ["bfloat16", "float16", "float32", "float64"]
_complexes = ["complex64", "complex128"]


class UInt2(AbstractDtype):
    dtypes = ["uint2"]


class UInt4(AbstractDtype):
    dtypes = ["uint4"]


class UInt8(AbstractDtype):
    dtypes = ["uint8"]


class UInt16(AbstractDtype):
    dtypes = ["uint16"]


class UInt32(AbstractDtype):
    dtypes = ["uint32"]


class UInt64(AbstractDtype):
    dtypes = ["uint64"]


class Int2(AbstractDtype):
    dtypes = ["int2"]


class Int4(AbstractDtype):
    dtypes = ["int4"]


class Int8(AbstractDtype):
    dtypes = ["int8"]


class Int16(AbstractDtype):
    dtypes = ["int16"]


class Int32(AbstractDtype):
    dtypes = ["int32"]


class Int64(AbstractDtype):
    dtypes = ["int64"]


class BFloat16(AbstractDtype):
    dtypes = ["bfloat16"]


class Float16(AbstractDtype):
    dtypes = ["float16"]


class Float32(AbstractDtype):
    dtypes = ["float32"]


class Float64(AbstractDtype):
    dtypes = ["float64"]


class Complex64(AbstractDtype):
    dtypes = ["complex64"]


class Complex128(AbstractDtype):
    dtypes = ["complex128"]


class Bool(AbstractDtype):
    dtypes = _bools


class UInt(AbstractDtype):
    dtypes = _uints


class Int(AbstractDtype):
    dtypes = _ints


class Integer(AbstractDtype):
    dtypes = _uints + _ints


class Float(AbstractDtype):
    dtypes = _floats


class Complex(AbstractDtype):
    dtypes = _complexes


class Inexact(AbstractDtype):
    dtypes = _floats + _complexes


class Real(AbstractDtype):
    dtypes = _floats + _uints + _ints


class Num(AbstractDtype):
    dtypes = _uints + _ints + _floats + _complexes


class Shaped(AbstractDtype):
    dtypes = None


class Key(AbstractDtype):
    dtypes = ["prng_key"]


class Array:
    pass


ArrayLike = Any
Scalar = Shaped[Array, ""]
ScalarLike = Shaped[Array, ""]
PRNGKeyArray = Union[Key[Array, ""], UInt32[Array, "2"]]


class PyTree:
    def __class_getitem__(cls, item):
        return Any


class PyTreeDef:
    def __class_getitem__(cls, item):
        return Any


class TypeCheckError(TypeError):
    pass


class AnnotationError(Exception):
    pass


class _Context:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def __call__(self, fn):
        return fn


def jaxtyped(fn=None, *, typechecker=None):
    if fn is None or isinstance(fn, str):
        return _Context()
    return fn


def install_import_hook(modules=None, typechecker=None):
    return _Context()


def set_array_name_format(value):
    pass


def get_array_name_format():
    return "dtype_and_shape"


def print_bindings():
    pass


def make_numpy_struct_dtype(dtype, name):
    return Shaped


class _Config:
    def update(self, item, value):
        pass


config = _Config()
