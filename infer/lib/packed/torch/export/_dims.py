# The sizes that torch.export makes dynamic: Dim, its multiples and sums, hints.


class _DimHint:
    def __init__(self, kind, min=None, max=None):
        self.type, self.min, self.max = kind, min, max

    def __call__(self, min=None, max=None):
        return _DimHint(self.type, min, max)

    def __repr__(self):
        return 'DimHint(' + self.type + ')'


# Names that torch 2.15 takes for functions and classes of sympy and Python where it computes with a Dim: those that one may give to a size.
_TAKEN = frozenset((
    'N O Q S abs andre arg banded beta cancel collect content count cot deg degree diff div exp expand eye factor fft field flatten floor fps frac gamma '
    'group hyper im len lex limit log max maximum min minimum numer ones ordered per plot poly prime product rad re reduced rem residue ring root roots '
    'sec series shape sift sign sin subsets symbols take tan test timed trace use var zeros zeta').split())


class Dim:
    AUTO, DYNAMIC, STATIC = _DimHint('AUTO'), _DimHint('DYNAMIC'), _DimHint('STATIC')

    def __init__(self, name, *, min=None, max=None):
        if min is None:
            min = 0
        if max is not None and max < min:
            raise AssertionError(f'Cannot create Dim with inconsistent min={min}, max={max}')
        self.__name__, self.min, self.max = name, min, max
        self.root, self.factor, self.offset = self, 1, 0

    def _derived(self, name, factor, offset):
        if self.root.__name__ in _TAKEN:
            raise TypeError(f'torch.export takes the name {self.root.__name__!r} of a Dim for a function where it computes with it: use another name')
        d = Dim(name)
        d.root, d.factor, d.offset = self.root, factor, offset
        return d

    def __mul__(self, other):
        if type(other) is not int or other <= 0:
            raise NotImplementedError('a Dim can be multiplied by a positive integer only')
        return self._derived(f'{other}*{self.__name__}', self.factor * other, self.offset * other)

    __rmul__ = __mul__

    def __add__(self, other):
        if type(other) is not int:
            raise NotImplementedError('an integer can be added to a Dim only')
        return self._derived(f'{self.__name__} + {other}', self.factor, self.offset + other)

    __radd__ = __add__

    def __sub__(self, other):
        if type(other) is not int:
            raise NotImplementedError('an integer can be subtracted from a Dim only')
        return self._derived(f'{self.__name__} - {other}', self.factor, self.offset - other)


def dims(*names, min=None, max=None):
    return tuple([Dim(n, min=min, max=max) for n in names])


class ShapesCollection:
    """The dynamic sizes of tensors by the tensors themselves."""

    def __init__(self):
        self._shapes = {}
        self._tensors = []

    def __setitem__(self, t, shape):
        self._shapes[id(t)] = shape
        self._tensors.append(t)

    def __getitem__(self, t):
        return self._shapes.setdefault(id(t), {})

    def __len__(self):
        return len(self._shapes)

    def of(self, x):
        if isinstance(x, (tuple, list)):
            return [self.of(e) for e in x]
        if isinstance(x, dict):
            return {k: self.of(e) for k, e in x.items()}
        return self._shapes.get(id(x))


def beyond(x, shapes):
    """Whether a tensor is given a size for an axis that it has not."""
    return hasattr(x, 'ndim') and hasattr(x, 'dim') and isinstance(shapes, dict) and any(
        [isinstance(i, int) and not -x.ndim <= i < x.ndim and isinstance(d, (Dim, int)) for i, d in shapes.items()])


def size_spec(d):
    """What one size may be, for _shapecheck.export_trace: kind, name, least, most, factor, offset."""
    if d is None:
        return None
    if isinstance(d, _DimHint):
        if d.type == 'STATIC':
            return None
        return (d.type.lower(), '', d.min, d.max, 1, 0)
    if isinstance(d, Dim):
        r = d.root
        return ('dim', r.__name__, r.min, r.max, d.factor, d.offset)
    if isinstance(d, int):
        return ('', '', d, None, 1, 0)
    return None


def spec(x, shapes):
    """The dynamic sizes of an argument: of a tensor one for each axis, else of each part."""
    if shapes is None:
        return None
    if hasattr(x, 'ndim') and hasattr(x, 'dim'):
        if isinstance(shapes, dict):
            return [size_spec(shapes.get(i, shapes.get(i - x.ndim))) for i in range(x.ndim)]
        return [size_spec(d) for d in shapes]
    if isinstance(x, (tuple, list)):
        return [spec(x[i], shapes[i]) for i in range(len(x)) if i < len(shapes)]
    if isinstance(x, dict):
        return [spec(x[k], shapes.get(k)) for k in x]
    return size_spec(shapes)
