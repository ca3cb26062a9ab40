# tf.data: data sets of tensors, of whose elements the types are known.
import numpy as np
import _shapecheck
from ._core import Tensor, TensorSpec, blank, carrier, convert, current
from ._function import Function, _leaf, flat, function, structure

AUTOTUNE = -1
_range = range


class Dataset:
    """element is a structure of tensors of whose elements nothing is known; n how many there are, None: not known.
    kind is the name of TensorFlow's class."""

    def __init__(self, element, n, kind='Dataset'):
        self._element, self._n, self._kind = element, n, kind

    def __shapecheck_spec__(self):
        return ('dataset', (_leaf(self.element_spec, []),))

    @classmethod
    def from_tensor_slices(cls, tensors, name=None):
        t = _tensors(tensors)
        if _shapecheck.is_unknown(t):
            return t
        leaves = flat(t, [])
        return cls(structure(t, lambda x: Tensor(blank(x._a[0]), x._d, 0)), leaves[0]._a.shape[0], '_TensorSliceDataset')

    @classmethod
    def from_tensors(cls, tensors, name=None):
        t = _tensors(tensors)
        return t if _shapecheck.is_unknown(t) else cls(t, 1, '_TensorDataset')

    @classmethod
    def range(cls, *args, **kw):
        n = len(_range(*args)) if not [1 for a in args if not isinstance(a, int) or _shapecheck.is_symbolic(a)] else None
        return cls(Tensor(np.empty((), 'int64'), 'int64', 0), n, '_RangeDataset')

    def batch(self, batch_size, drop_remainder=False, **kw):
        n, b = self._n, batch_size
        whole = drop_remainder or isinstance(n, int) and isinstance(b, int) and not _shapecheck.is_symbolic(n) and not _shapecheck.is_symbolic(b) and n % b == 0
        if n is not None:
            n = n // b if drop_remainder else (n + b - 1) // b
        rest = None if whole or self._n is None or _shapecheck.is_symbolic(self._n) else self._n % b
        d = Dataset(structure(self._element, lambda x: Tensor(np.empty((b if whole else _shapecheck.new_size(1),) + tuple(x._a.shape), carrier(x._d)), x._d, 0)), n, '_BatchDataset')
        if rest is not None and not _shapecheck.is_symbolic(b):
            d._sizes = (self._element, [b] * (n - 1) + [rest])
        return d

    def map(self, map_func, num_parallel_calls=None, deterministic=None, **kw):
        e = self._element
        if isinstance(map_func, Function):  # in the graph of the data set, with the traces that it has
            f = function(lambda *args: map_func(*args))
            f.__name__ = 'Dataset.map'
        else:
            f = function(map_func)
        r = f(*e) if isinstance(e, tuple) else f(e)
        if _shapecheck.is_unknown(r):
            return r
        return Dataset(structure(r, lambda x: x if _shapecheck.is_unknown(x) else Tensor(x._a, x._d, 0)), self._n, '_MapDataset' if num_parallel_calls is None else '_ParallelMapDataset')

    def filter(self, predicate, name=None):
        return Dataset(self._element, None, '_FilterDataset')

    def take(self, count, name=None):
        n = self._n
        known = isinstance(n, int) and isinstance(count, int) and not _shapecheck.is_symbolic(n) and not _shapecheck.is_symbolic(count)
        d = Dataset(self._element, (n if count < 0 else min(n, count)) if known else None, '_TakeDataset')
        if known and hasattr(self, '_sizes'):
            d._sizes = (self._sizes[0], self._sizes[1][:d._n])
        return d

    def skip(self, count, name=None):
        n = self._n
        known = isinstance(n, int) and isinstance(count, int) and not _shapecheck.is_symbolic(n) and not _shapecheck.is_symbolic(count)
        return Dataset(self._element, max(n - count, 0) if known else None, '_SkipDataset')

    def repeat(self, count=None, name=None):
        return Dataset(self._element, self._n * count if self._n is not None and isinstance(count, int) and count >= 0 and not hasattr(self, '_sizes') else None, '_RepeatDataset')

    def shuffle(self, buffer_size, *args, **kw):
        return self._like('_ShuffleDataset')

    def _like(self, kind):
        d = Dataset(self._element, self._n, kind)
        if hasattr(self, '_sizes') and kind != '_ShuffleDataset':
            d._sizes = self._sizes
        return d

    def prefetch(self, buffer_size=None, name=None):
        return self._like('_PrefetchDataset')

    def cache(self, *args, **kw):
        return self._like('CacheDataset')

    def with_options(self, options, name=None):
        return self._like('_OptionsDataset')

    def enumerate(self, start=0, name=None):
        return Dataset((Tensor(np.empty((), 'int64'), 'int64', 0), self._element), self._n, '_EnumerateDataset')

    @staticmethod
    def zip(*datasets, **kw):
        ds = datasets[0] if len(datasets) == 1 else datasets
        sizes = [d._n for d in ds]
        known = not [1 for n in sizes if n is None or _shapecheck.is_symbolic(n)]
        return Dataset(tuple([d._element for d in ds]), min(sizes) if known else None, '_ZipDataset')

    def cardinality(self, name=None):
        return Tensor(np.asarray(self._n, 'int64') if self._n is not None else np.empty((), 'int64'), 'int64')

    def as_numpy_iterator(self):
        return iter(_shapecheck.open_list(structure(self._element, lambda x: x._a), _shapecheck.new_size(0)))

    @property
    def element_spec(self):
        return structure(self._element, lambda x: TensorSpec([None if _shapecheck.is_symbolic(n) else n for n in x._a.shape], x._d))

    def __len__(self):
        if self._n is None:
            raise TypeError('The dataset length is unknown.')
        return self._n

    def __iter__(self):
        if current() or self._n is None or _shapecheck.is_symbolic(self._n):
            return iter(_shapecheck.open_list(structure(self._element, lambda x: Tensor(x._a, x._d)), _shapecheck.new_size(0)))
        if hasattr(self, '_sizes'):
            element, sizes = self._sizes
            return iter([structure(element, lambda x: Tensor(np.empty((b,) + tuple(x._a.shape), carrier(x._d)), x._d)) for b in sizes])
        return iter([structure(self._element, lambda x: Tensor(blank(x._a), x._d)) for i in range(self._n)])

    def __getattr__(self, name):
        if name.startswith('__') or name == '_sizes':
            raise AttributeError(name)
        return _shapecheck.unknown('tf.data.Dataset.' + name)


def _tensors(x):
    """x with tensors at its leaves; a list is one tensor."""
    if _shapecheck.is_unknown(x):
        return x
    if isinstance(x, tuple):
        parts = [_tensors(v) for v in x]
        return _shapecheck.unknown('a data set') if [1 for p in parts if _shapecheck.is_unknown(p)] else tuple(parts)
    if isinstance(x, dict):
        parts = {k: _tensors(v) for k, v in x.items()}
        return _shapecheck.unknown('a data set') if [1 for p in parts.values() if _shapecheck.is_unknown(p)] else parts
    t = convert(x)
    return _shapecheck.unknown('a data set') if t is None or _shapecheck.is_unknown(t._a) else t


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.data.' + name)
