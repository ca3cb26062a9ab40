# Spaces of observations and actions: their shapes, dtypes and numbers of elements; what is drawn from them is not known.
import typing as _typing
import numpy as _np
from _shapecheck import unknown as _unknown

_T = _typing.TypeVar('_T')


class Space(_typing.Generic[_T]):
    def __init__(self, shape=None, dtype=None, seed=None):
        self._shape = None if shape is None else tuple(shape)
        self.dtype = None if dtype is None else _np.dtype(dtype)

    @property
    def shape(self):
        return self._shape

    def seed(self, seed=None):
        return seed

    def sample(self, mask=None, probability=None):
        raise NotImplementedError

    def contains(self, x):
        return _unknown('whether a space has an element')

    def __contains__(self, x):
        return self.contains(x)


# A space that has no parts, unless a class that derives from it says so.
class _Whole(Space):
    @property
    def spaces(self):
        if '_spaces' not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute 'spaces'")
        return self._spaces

    @spaces.setter
    def spaces(self, value):
        self._spaces = value


class Box(_Whole):
    def __init__(self, low, high, shape=None, dtype=_np.float32, seed=None):
        if shape is None:
            shape = _np.shape(low) or _np.shape(high)
        super().__init__(shape, dtype, seed)
        self.low = _np.broadcast_to(_np.asarray(low), self._shape).astype(dtype)
        self.high = _np.broadcast_to(_np.asarray(high), self._shape).astype(dtype)
        self.bounded_below = self.low > -_np.inf
        self.bounded_above = self.high < _np.inf

    def is_bounded(self, manner='both'):
        below, above = bool(_np.all(self.bounded_below)), bool(_np.all(self.bounded_above))
        return {'both': below and above, 'below': below, 'above': above}[manner]

    def sample(self, mask=None, probability=None):
        return _np.random.uniform(size=self._shape).astype(self.dtype)


class Discrete(_Whole):
    def __init__(self, n, seed=None, start=0, dtype=_np.int64):
        super().__init__((), dtype, seed)
        self.n = _np.int64(n)
        self.start = _np.int64(start)

    def sample(self, mask=None, probability=None):
        return self.start + _np.random.randint(self.n)

    def __repr__(self):
        return f'Discrete({self.n}, start={self.start})' if self.start else f'Discrete({self.n})'

    def __eq__(self, other):
        return isinstance(other, Discrete) and self.n == other.n and self.start == other.start and self.dtype == other.dtype


class MultiDiscrete(_Whole):
    def __init__(self, nvec, dtype=_np.int64, seed=None, start=None):
        self.nvec = _np.array(nvec, dtype=dtype)
        self.start = _np.zeros(self.nvec.shape, dtype=dtype) if start is None else _np.array(start, dtype=dtype)
        super().__init__(self.nvec.shape, dtype, seed)

    def sample(self, mask=None, probability=None):
        return (self.start + _np.random.random(self.nvec.shape) * self.nvec).astype(self.dtype)

    def __len__(self):
        return len(self.nvec)


class MultiBinary(_Whole):
    def __init__(self, n, seed=None):
        self.n = n
        super().__init__((n,) if isinstance(n, (int, _np.integer)) else n, _np.int8, seed)

    def sample(self, mask=None, probability=None):
        return _np.random.randint(0, 2, size=self._shape).astype(self.dtype)

    def __repr__(self):
        return f'MultiBinary({self.n})'


class Tuple(Space):
    def __init__(self, spaces, seed=None):
        self.spaces = tuple(spaces)
        super().__init__(None, None, seed)

    def sample(self, mask=None, probability=None):
        return tuple([s.sample() for s in self.spaces])

    def __getitem__(self, index):
        return self.spaces[index]

    def __len__(self):
        return len(self.spaces)

    def __iter__(self):
        return iter(self.spaces)


class Dict(Space):
    def __init__(self, spaces=None, seed=None, **spaces_kwargs):
        spaces = dict(spaces or {})
        if not isinstance(spaces, _typing.OrderedDict):
            spaces = dict(sorted(spaces.items()))
        spaces.update(spaces_kwargs)
        self.spaces = spaces
        super().__init__(None, None, seed)

    def sample(self, mask=None, probability=None):
        return {k: s.sample() for k, s in self.spaces.items()}

    def __getitem__(self, key):
        return self.spaces[key]

    def __len__(self):
        return len(self.spaces)

    def __iter__(self):
        return iter(self.spaces)

    def keys(self):
        return self.spaces.keys()

    def values(self):
        return self.spaces.values()

    def items(self):
        return self.spaces.items()

    def get(self, key, default=None):
        return self.spaces.get(key, default)


def flatdim(space):
    if isinstance(space, Discrete):
        return int(space.n)
    if isinstance(space, MultiDiscrete):
        return int(_np.sum(space.nvec))
    if isinstance(space, (Box, MultiBinary)):
        n = 1
        for size in space.shape:
            n *= size
        return n
    return sum([flatdim(s) for s in (space.spaces.values() if isinstance(space, Dict) else space.spaces)])
