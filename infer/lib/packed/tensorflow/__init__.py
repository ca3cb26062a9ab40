# TensorFlow: tensors (_core.py), operations (_ops.py), traced functions (_function.py), control
# flow and gradients (_control.py). What is not here is unknown.
import _shapecheck
from . import _core, errors
from ._core import Tensor, Variable, TensorShape, TensorSpec, DType, any_rank as _any_rank
from ._ops import (abs, accumulate_n, acos, acosh, add, add_n, argmax, argmin, argsort, as_string, asin, asinh, atan, atan2, atanh, boolean_mask, broadcast_static_shape,
                   broadcast_to, cast, clip_by_global_norm, clip_by_norm, clip_by_value, concat, constant, convert_to_tensor, cos, cosh, cumsum, divide, einsum,
                   ensure_shape, equal, exp, expand_dims, eye, fill, floor, gather, gather_nd, get_static_value, greater, greater_equal, identity, is_tensor, less,
                   less_equal, linspace, logical_and, logical_not, logical_or, matmul, maximum, meshgrid, minimum, multiply, negative, norm, not_equal, one_hot, ones,
                   ones_like, pad, pow, range, rank, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum, repeat,
                   reshape, reverse, roll, round, saturate_cast, scatter_nd, shape, shape_n, sigmoid, sign, sin, sinh, size, slice_ as slice, sort, split, sqrt, square,
                   squeeze, stack, stop_gradient, subtract, tan, tanh, tensor_scatter_nd_add, tensor_scatter_nd_max, tensor_scatter_nd_min, tensor_scatter_nd_sub,
                   tensor_scatter_nd_update, tensordot, tile, transpose, truediv, unique, unstack, where, zeros, zeros_like)
from ._function import function, flat as _flat, structure as _structure
from ._control import (Assert, GradientTape, Module, TensorArray, case, cond, control_dependencies, custom_gradient, device, executing_eagerly, foldl, foldr, gradients,
                       group, inside_function, init_scope, map_fn, name_scope, no_op, numpy_function, print, py_function, recompute_grad, scan, switch_case,
                       vectorized_map, while_loop)
from . import math, nn, linalg, random, data, config, autograph, debugging, nest, types, keras

newaxis = None
bool, string = DType('bool'), DType('string')
for _n in ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128'):
    globals()[_n] = DType(_n)
half, double = DType('float16'), DType('float64')
__version__ = '2.21.0'
Operation = object


def as_dtype(d):
    return DType(_core.name_of(d))


class dtypes:
    DType = DType
    as_dtype = staticmethod(as_dtype)
    cast = staticmethod(cast)


class _Space:
    """Functions that are known, of a module whose others are not."""

    def __init__(self, name, **known):
        self.__dict__.update(known)
        self._space = name

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown(self._space + '.' + name)


version = _Space('tf.version', VERSION=__version__)
from ._ops import string_length as _length, string_op as _string
strings = _Space('tf.strings', length=_length, lower=_string, upper=_string, strip=_string, as_string=as_string, regex_replace=_string, substr=_string)
from ._ops import identity as _identity
sets = _Space('tf.sets')
from . import _composite
from ._composite import RaggedTensor, sparse_tensor as SparseTensor
ragged = _Space('tf.ragged', constant=_composite.constant)
sparse = _Space('tf.sparse', SparseTensor=SparseTensor, from_dense=_composite.from_dense, to_dense=_composite.to_dense)


def variable_creator_scope(f):
    return name_scope()


def guarantee_const(x):
    return _identity(x)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'tensorflow' has no attribute '" + name + "'")
    _core.state.foreign = True
    return _shapecheck.unknown('tf.' + name)
