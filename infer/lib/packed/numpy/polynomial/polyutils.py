# This file defines what numpy's families of polynomials share: coefficients as series,
# domains and the maps between them. The lowest degree comes first.
import operator

import _shapecheck
import numpy as np


def _is_zero(x):
    """Whether a coefficient is known to be zero."""
    return not _shapecheck.is_symbolic(x) and x == 0


def trimseq(seq):
    n = len(seq)
    if not isinstance(n, int) or _shapecheck.is_symbolic(n):
        return seq
    while n > 1 and _is_zero(seq[n - 1].item() if isinstance(seq, np.ndarray) else seq[n - 1]):
        n -= 1
    return seq[:n]


def as_series(alist, trim=True):
    arrays = [np.array(a, ndmin=1) for a in alist]
    for a in arrays:
        if a.size == 0:
            raise ValueError('Coefficient array is empty')
        if a.ndim != 1:
            raise ValueError('Coefficient array is not 1-d')
    if trim:
        arrays = [trimseq(a) for a in arrays]
    if any(a.dtype == bool for a in arrays):
        raise ValueError('Coefficient arrays have no common type')
    dtype = np.common_type(*arrays)
    return [np.array(a, copy=True, dtype=dtype) for a in arrays]


def trimcoef(c, tol=0):
    if tol < 0:
        raise ValueError('tol must be non-negative')
    [c] = as_series([c])
    n = len(c)
    if tol != 0:
        while n > 0 and not _shapecheck.is_symbolic(c[n - 1].item()) and abs(c[n - 1].item()) <= tol:
            n -= 1
        if n > 0 and _shapecheck.is_symbolic(c[n - 1].item()):
            return np.empty((_shapecheck.data_int('n', 1, n),), c.dtype)
    return c[:1] * 0 if n == 0 else c[:n].copy()


def getdomain(x):
    [x] = as_series([x], trim=False)
    if x.dtype.kind == 'c':
        return np.empty((2,), np.complex128)
    return np.array((x.min(), x.max()))


def mapparms(old, new):
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def mapdomain(x, old, new):
    if np.__version__[0] == '1' or type(x) not in (int, float, complex) and not isinstance(x, np.generic):
        x = np.asanyarray(x)
    off, scl = mapparms(old, new)
    return off + scl * x


def _as_int(x, what):
    try:
        return operator.index(x)
    except TypeError:
        raise TypeError(what + ' must be an integer, received ' + str(x))


for _f in (trimseq, as_series, trimcoef, getdomain, mapparms, mapdomain):
    globals()[_f.__name__] = _shapecheck.boundary(_f, 'numpy.polynomial.polyutils.' + _f.__name__)
if np.__version__[0] == '1':
    RankWarning = np.RankWarning
if not np.__version__.startswith('1.23'):

    def format_float(x, parens=False):
        return _shapecheck.unknown('the text of a number as numpy writes it')
