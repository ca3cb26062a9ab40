# This file is the Python part of numpy: settings, files and what only hands its
# arguments on. Arrays, scalars and dtypes are native; functions are operator
# records.
import _shapecheck
from ._info import finfo, iinfo


class AxisError(ValueError, IndexError):
    pass


class ComplexWarning(RuntimeWarning):
    pass


class VisibleDeprecationWarning(UserWarning):
    pass


class errstate:
    def __init__(self, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def __call__(self, fn):
        return fn


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    return {'divide': 'warn', 'over': 'warn', 'under': 'ignore', 'invalid': 'warn'}


def seterrcall(func):
    pass


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, formatter=None, sign=None,
    floatmode=None, *, legacy=None, override_repr=None
):
    pass


# What the program itself saved has its types when it is loaded.
_saved = {}  # of each file what load gives


def _file_key(file, suffix=''):
    name = getattr(file, 'name', None) if hasattr(file, 'read') else str(file)
    return _shapecheck.file_key(name, '' if hasattr(file, 'read') else suffix) if isinstance(name, str) else id(file)


def save(file, arr, allow_pickle=True, fix_imports=True):
    _shapecheck.writes_file(file)
    _saved[_file_key(file, '.npy')] = 'npy', asarray(arr)


def savez(file, *args, **kwds):
    _shapecheck.writes_file(file)
    arrays = dict(kwds)
    for i, a in enumerate(args):
        if 'arr_%d' % i in arrays:
            raise ValueError('Cannot use un-named variables and keyword arr_%d' % i)
        arrays['arr_%d' % i] = a
    _keep_npz(_file_key(file, '.npz'), arrays)


def _keep_npz(key, arrays):
    _saved[key] = 'npz', {k: None if a is None else asarray(a) for k, a in arrays.items()}


savez_compressed = savez


def savetxt(fname, X, fmt='%.18e', delimiter=' ', newline='\n', header='', footer='', comments='# ', encoding=None):
    _shapecheck.writes_file(fname)


class printoptions(errstate):
    def __init__(self, *args, **kwargs):
        set_printoptions(*args, **kwargs)


# Of files of the project the headers are read: types and sizes, no elements.
class _NpzFile(dict):
    f = zip = None

    @property
    def files(self):
        return list(self)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding='ASCII', *, max_header_size=10000):
    kept = _saved.get(_file_key(file))
    if kept is not None:
        kind, of = kept
        return of.copy() if kind == 'npy' else _NpzFile({k: None if a is None else a.copy() for k, a in of.items()})
    found = _shapecheck.project_arrays(file, lambda dtype, shape, path: _array_of_file(shape, dtype))
    if _shapecheck.is_unknown(found):
        return found
    if found is None or found[0] not in ('npy', 'npz'):
        what = 'what numpy.load reads from a file'
        return _shapecheck.unknown(what if found is None or found[0] else f'{what}: {found[1]}')
    return _NpzFile(found[1]) if found[0] == 'npz' else found[1]


def _array_of_file(shape, dtype):
    return empty(shape, dtype=str(dtype).replace('torch.', ''))


def loadtxt(
    fname, dtype=float, comments='#', delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0, encoding=None, max_rows=None,
    *, quotechar=None, like=None
):
    return _shapecheck.unknown('what numpy.loadtxt reads from a file')


def genfromtxt(fname, *args, **kwargs):
    return _shapecheck.unknown('what numpy.genfromtxt reads from a file')


# Without a count or shape the file says how many elements there are.
def fromfile(file, dtype=float, count=-1, sep='', offset=0, *, like=None):
    return empty(_shapecheck.data_int('n') if count == -1 else count, dtype=dtype)


class memmap(ndarray):
    def __new__(cls, filename, dtype=uint8, mode='r+', offset=0, shape=None, order='C'):
        return empty(_shapecheck.data_int('n') if shape is None else shape, dtype=dtype)


def ndindex(*shape):
    if len(shape) == 1 and isinstance(shape[0], tuple):
        shape = shape[0]
    import itertools
    return itertools.product(*[range(n) for n in shape])


def ndenumerate(arr):
    arr = asarray(arr)
    for index in ndindex(arr.shape):
        yield index, arr[index]


class flatiter:
    """The elements of an array in order: an iterator with indices that reads and writes the array."""

    def __init__(self, base):
        self.base = base
        self.index = 0

    def __iter__(self):
        return iter(self._elements())

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self._elements()[self.index - 1]

    def _elements(self):
        return self.base.reshape(-1)

    def __len__(self):
        return self.base.size

    @property
    def coords(self):
        from numpy._indices import unravel_index
        return unravel_index(self.index, self.base.shape)

    def copy(self):
        return self._elements().copy()

    def __array__(self, dtype=None, copy=None):
        return self._elements() if dtype is None else self._elements().astype(dtype)

    def _at(self, key):
        if isinstance(key, tuple):
            if len(key) != 1:
                raise IndexError('unsupported iterator index')
            key = key[0]
        if key is None or isinstance(key, (float, str)):
            raise IndexError('unsupported iterator index')
        return key

    def __getitem__(self, key):
        return self._elements()[self._at(key)].copy()

    def __setitem__(self, key, value):
        at = arange(self.base.size)[self._at(key)]
        put(self.base, at, value)

    def __eq__(self, other):
        return self._elements() == other

    def __ne__(self, other):
        return self._elements() != other

    def __lt__(self, other):
        return self._elements() < other

    def __le__(self, other):
        return self._elements() <= other

    def __gt__(self, other):
        return self._elements() > other

    def __ge__(self, other):
        return self._elements() >= other


ndarray.flat = ndarray.flat.getter(flatiter)


class flagsobj:
    """What is known of an array's memory."""

    def __init__(self, known, of):
        self._of = of
        self.c_contiguous, self.f_contiguous, self.owndata, self._writeable = known
        self.contiguous, self.fortran = self.c_contiguous, self.f_contiguous
        self.aligned, self.writebackifcopy = True, False
        self.behaved = self._writeable

    @property
    def writeable(self):
        return self._writeable

    @writeable.setter
    def writeable(self, value):
        self._of.setflags(write=value)
        self._writeable = self.behaved = value

    @property
    def fnc(self):
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self):
        return self.f_contiguous or self.c_contiguous

    @property
    def carray(self):
        return self.behaved and self.c_contiguous

    @property
    def farray(self):
        return self.behaved and self.f_contiguous and not self.c_contiguous

    def __getitem__(self, name):
        short = {'C': 'c_contiguous', 'F': 'f_contiguous', 'O': 'owndata', 'W': 'writeable', 'A': 'aligned', 'X': 'writebackifcopy', 'B': 'behaved', 'CA': 'carray', 'FA': 'farray'}
        found = short.get(name, name.lower())
        if found not in short.values() and found not in ('contiguous', 'fortran', 'fnc', 'forc'):
            raise KeyError('Unknown flag')
        return getattr(self, found)

    def __setitem__(self, name, value):
        if name.lower() not in ('w', 'writeable'):
            raise KeyError('Unknown flag')
        self.writeable = value


_memory = ndarray.flags.fget
ndarray.flags = property(lambda a: flagsobj(_memory(a), a))


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    return function(*indices(shape, dtype=dtype), **kwargs)


def msort(a):
    return sort(a, axis=0)


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


# Functions that numpy itself defines in Python, by the file here that defines them. A
# file is loaded when one of its names is first used.
_FAMILIES = {
    '_sets': 'ediff1d union1d intersect1d setxor1d isin in1d setdiff1d unique_values',
    '_pieces': (
        'apply_along_axis apply_over_axes piecewise select choose extract compress put_along_axis block diagflat resize trim_zeros fill_diagonal'
    ),
    '_indices': (
        'ix_ diag_indices diag_indices_from tril_indices_from triu_indices_from mask_indices unravel_index ravel_multi_index lexsort vander '
        'hanning hamming bartlett blackman kaiser'
    ),
    '_grids': 'mgrid ogrid r_ c_ s_ index_exp',
    '_calculus': 'gradient trapezoid trapz histogram2d histogramdd',
    '_types': 'common_type may_share_memory shares_memory mintypecode typename',
    '_arrayapi': 'matvec vecmat vecdot unique_all unique_counts unique_inverse unstack cumulative_sum cumulative_prod isdtype',
    '_vectorize': 'vectorize',
    '_bits': (
        'packbits unpackbits base_repr binary_repr sort_complex real_if_close unwrap isfortran frombuffer from_dlpack asfarray cumproduct'
    ),
    '_settings': (
        'ALLOW_THREADS BUFSIZE CLIP ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO '
        'FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW MAXDIMS MAY_SHARE_BOUNDS MAY_SHARE_EXACT NZERO PZERO RAISE SHIFT_DIVIDEBYZERO SHIFT_INVALID '
        'SHIFT_OVERFLOW SHIFT_UNDERFLOW UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME WRAP little_endian typecodes True_ False_ get_printoptions geterr '
        'geterrcall getbufsize setbufsize info show_config show_runtime test disp int0 uint0 bytes0 str0 object0 void0 RankWarning TooHardError '
        'ModuleDeprecationWarning sctypes nbytes singlecomplex issubclass_ issctype issubsctype math os sys warnings dtypes strings float128 '
        'numarray oldnumeric recfromtxt recfromcsv'
    ),
    '_poly': 'poly1d poly roots polyval polyfit polyder polyint polyadd polysub polymul polydiv',
}

# Names that numpy 1.24 removed: the Python types, as they were before.
_removed = {'float': float, 'int': int, 'complex': complex, 'object': object, 'str': str, 'unicode': str}


def __getattr__(name):
    for family, names in _FAMILIES.items():
        if name in names.split():
            import importlib
            found = getattr(importlib.import_module('numpy.' + family), name)
            if callable(found) and not isinstance(found, type):
                found = _shapecheck.boundary(found, 'numpy.' + name)
            globals()[name] = found
            return found
    if name in _removed:
        version = _shapecheck.get_option('numpy-version')
        if version[:3] == '1.2' and version < '1.24':
            return _removed[name]
        _shapecheck.report('SC901', 'numpy.' + name + ' was removed in numpy 1.24: it is taken as ' + name)
        return _removed[name]
    raise AttributeError(name)


def fromstring(string, dtype=float, count=-1, *, sep='', like=None):
    unknown = _shapecheck.unknown('what numpy.fromstring reads')
    if _shapecheck.is_unknown(string) or _shapecheck.is_unknown(sep) or not sep:
        return unknown
    numbers = []
    for part in string.split(sep.strip() or None):
        part = part.strip()
        if part.lstrip('+-').isdigit():
            numbers.append(int(part))
        elif part.replace('.', '', 1).lstrip('+-').isdigit() and dtype is float:
            numbers.append(float(part))
        else:  # numpy warns, and stops there
            return unknown
    if count >= 0:
        if len(numbers) < count:
            return unknown
        numbers = numbers[:count]
    return array(numbers, dtype=dtype)
