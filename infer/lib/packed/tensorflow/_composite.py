# Ragged and sparse tensors: their dtypes and sizes are known, what is computed with them is not.
import numpy as np
import _shapecheck
from ._core import DType, Tensor, TensorShape, carrier, convert, name_of
from . import _ops


class Composite:
    """kind is "ragged" or "sparse"; the sizes in dims are None where rows differ; rank is how many axes are ragged."""

    def __init__(self, kind, d, dims, rank):
        self._kind, self._d, self._dims, self._rank = kind, d, dims, rank

    dtype = property(lambda self: DType(self._d))
    shape = property(lambda self: TensorShape(self._dims))

    def get_shape(self):
        return self.shape

    def __shapecheck_spec__(self):
        return (self._kind, self._d, self._dims, self._rank)

    def __shapecheck_opaque__(self):
        return True

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('tf.' + self._kind + ' tensors: ' + name)

    def _computed(self, *args):
        return _shapecheck.unknown('operations on tf.' + self._kind + ' tensors')

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = __getitem__ = __iter__ = __len__ = _computed


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, **kw):
    """tf.ragged.constant: every axis but the first is ragged, unless ragged_rank or inner_shape says otherwise."""
    leaves = []
    depth = _depth(pylist, leaves)
    if depth is None or inner_shape is not None or ragged_rank is not None and ragged_rank != depth - 1:
        return _shapecheck.unknown('a ragged tensor')
    x = convert(leaves) if leaves else None
    if depth == 1:
        return _ops.constant(pylist, dtype)
    d = name_of(dtype) if dtype is not None else 'float32' if x is None else x._d
    return Composite('ragged', d, (len(pylist),) + (None,) * (depth - 1), depth - 1)


def _depth(x, leaves):
    """How deep lists are nested; None: not known."""
    if _shapecheck.is_unknown(x):
        return None
    if not isinstance(x, (list, tuple)):
        leaves.append(x)
        return 0
    depths = [_depth(v, leaves) for v in x]
    if None in depths:
        return None
    return 1 + max(depths + [0])


class RaggedTensor:
    @classmethod
    def from_row_lengths(cls, values, row_lengths, *args, **kw):
        return _by_rows(values, row_lengths, 0)

    @classmethod
    def from_row_splits(cls, values, row_splits, *args, **kw):
        return _by_rows(values, row_splits, 1)

    @classmethod
    def from_row_starts(cls, values, row_starts, *args, **kw):
        return _by_rows(values, row_starts, 0)


def _by_rows(values, rows, extra):
    v, r = convert(values), convert(rows)
    if v is None or r is None or _shapecheck.is_unknown(v._a) or _shapecheck.is_unknown(r._a):
        return _shapecheck.unknown('a ragged tensor')
    return Composite('ragged', v._d, (r._a.shape[0] - extra, None) + tuple(v._a.shape[1:]), 1)


def sparse_tensor(indices, values, dense_shape):
    v, shape = convert(values), _ops.sizes(dense_shape)
    if v is None or shape is None:
        return _shapecheck.unknown('a sparse tensor')
    return Composite('sparse', v._d, tuple(shape), 0)


def from_dense(tensor, name=None):
    t = convert(tensor)
    return _shapecheck.unknown('a sparse tensor') if t is None or _shapecheck.is_unknown(t._a) else Composite('sparse', t._d, tuple(t._a.shape), 0)


def to_dense(x, *args, **kw):
    if not isinstance(x, Composite):
        return _shapecheck.unknown('a dense tensor of a sparse one')
    return Tensor(np.empty(x._dims, carrier(x._d)), x._d)
