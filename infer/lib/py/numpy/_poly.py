# This file defines polynomials: poly1d with its coefficients in a list, as models use
# it to make binomial filters, and the functions on arrays of coefficients.
import _shapecheck
import numpy as np  # its names are there by the time they are used


class poly1d:
    def __init__(self, c_or_r, r=False, variable=None):
        if variable is not None and not isinstance(variable, str):
            raise TypeError('variable must be a string')
        if isinstance(c_or_r, poly1d):
            coeffs = list(c_or_r._list)
        elif r:
            coeffs = [1.0]
            for root in c_or_r:
                coeffs = _product(coeffs, [1.0, -root])
        else:
            coeffs = list(c_or_r) if isinstance(c_or_r, (list, tuple, np.ndarray)) else [c_or_r]
        while len(coeffs) > 1 and coeffs[0] == 0:
            coeffs = coeffs[1:]
        self._list = coeffs
        self.variable = variable if variable is not None else c_or_r.variable if isinstance(c_or_r, poly1d) else 'x'

    @property
    def coeffs(self):
        return np.array(self._list)

    c = coef = coefficients = coeffs

    @property
    def order(self):
        return len(self._list) - 1

    o = order

    @property
    def roots(self):
        return roots(self.coeffs)

    r = roots

    def integ(self, m=1, k=0):
        return poly1d(polyint(self.coeffs, m, k))

    def deriv(self, m=1):
        return poly1d(polyder(self.coeffs, m))

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._list)

    def __getitem__(self, power):
        return self._list[self.order - power] if 0 <= power <= self.order else 0

    def __call__(self, x):
        if isinstance(x, np.ndarray):
            return polyval(self.coeffs, x)
        y = x * 0
        for c in self._list:
            y = y * x + c
        return y

    def __neg__(self):
        return poly1d([-c for c in self._list])

    def __mul__(self, other):
        return poly1d(_product(self._list, poly1d(other)._list))

    __rmul__ = __mul__

    def __pow__(self, n):
        coeffs = [1.0]
        for _ in range(n):
            coeffs = _product(coeffs, self._list)
        return poly1d(coeffs)

    def __add__(self, other):
        a, b = self._list, poly1d(other)._list
        n = max(len(a), len(b))
        a, b = [0] * (n - len(a)) + a, [0] * (n - len(b)) + b
        return poly1d([x + y for x, y in zip(a, b)])

    __radd__ = __add__

    def __sub__(self, other):
        return self + -poly1d(other)

    def __rsub__(self, other):
        return poly1d(other) + -self


def _product(a, b):
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] = out[i + j] + x * y
    return out


def _wrap(like, value):
    return poly1d(value) if like else value


def _coefficients(a):
    return np.array(a._list) if isinstance(a, poly1d) else np.asarray(a)


def _trimmed(a):
    """Coefficients without zeros in front, where they are known, as poly1d has them."""
    a = np.atleast_1d(_coefficients(a))
    while len(a) > 1 and not _shapecheck.is_symbolic(a[0].item()) and a[0] == 0:
        a = a[1:]
    return np.zeros((1,), dtype=a.dtype) if a.size is 0 else a


def poly(seq_of_zeros):
    seq = np.atleast_1d(seq_of_zeros)
    if seq.ndim == 2 and seq.shape[0] == seq.shape[1] and seq.shape[0] != 0:
        seq = np.linalg.eigvals(seq)
    elif seq.ndim != 1:
        raise ValueError('input must be 1d or non-empty square 2d array.')
    if len(seq) == 0:
        return np.float64(1.0)
    if seq.dtype == np.float16 or seq.dtype.kind in 'biu':
        return np.empty((len(seq) + 1,), dtype=np.float64)
    return np.empty((len(seq) + 1,), dtype=seq.dtype)


def roots(p):
    if isinstance(p, np.ndarray) and p.ndim == 0:
        raise TypeError('dispatcher for __array_function__ did not return an iterable')
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError('Input must be a rank-1 array.')
    if len(p) == 0:
        return np.array([])
    return _shapecheck.unknown('how many roots there are, and whether they are real')


def polyval(p, x):
    p = _coefficients(p)
    if isinstance(x, poly1d):
        y = 0
    else:
        x = np.asarray(x)
        y = np.zeros_like(x)
    for c in p:
        y = y * x + c
    return y


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    order = int(deg) + 1
    x = np.asarray(x) + 0.0
    y = np.asarray(y) + 0.0
    if deg < 0:
        raise ValueError('expected deg >= 0')
    if x.ndim != 1:
        raise TypeError('expected 1D vector for x')
    if x.size == 0:
        raise TypeError('expected non-empty vector for x')
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError('expected 1D or 2D array for y')
    if x.shape[0] != y.shape[0]:
        raise TypeError('expected x and y to have same length')
    if w is not None:
        w = np.asarray(w) + 0.0
        if w.ndim != 1:
            raise TypeError('expected a 1-d array for weights')
        if w.shape[0] != y.shape[0]:
            raise TypeError('expected w and y to have the same length')
    if y.dtype == np.float16:
        raise TypeError('array type float16 is unsupported in linalg')
    dtype = np.promote_types(np.promote_types(x.dtype, y.dtype), np.float64)
    rest = y.shape[1:]
    c = np.empty((order,) + rest, dtype)
    if full:
        return c, np.empty(rest if rest else (1,), np.float64), np.int32(order), np.empty((order,), np.float64), len(x) * 2.220446049250313e-16
    if cov:
        return c, np.empty((order, order) + rest, np.float64)
    return c


def polyder(p, m=1):
    import operator
    m = operator.index(m)
    if m < 0:
        raise ValueError('Order of derivative must be positive (see polyint)')
    like, p = isinstance(p, poly1d), _coefficients(p)
    for _ in range(m):
        n = len(p) - 1
        p = p[:-1] * np.arange(n, 0, -1)
    return _wrap(like, p)


def polyint(p, m=1, k=None):
    import operator
    m = operator.index(m)
    if m < 0:
        raise ValueError('Order of integral must be positive (see polyder)')
    if k is None:
        k = np.zeros(m, float)
    k = np.atleast_1d(k)
    if len(k) == 1 and m > 1:
        k = k[0] * np.ones(m, float)
    if len(k) < m:
        raise ValueError('k must be a scalar or a rank-1 array of length 1 or >m.')
    like, p = isinstance(p, poly1d), _coefficients(p)
    for i in range(m):
        p = np.concatenate((p / np.arange(len(p), 0, -1), [k[i]]))
    return _wrap(like, p)


def _padded(a1, a2):
    like = isinstance(a1, poly1d) or isinstance(a2, poly1d)
    a1, a2 = np.atleast_1d(_coefficients(a1)), np.atleast_1d(_coefficients(a2))
    diff = len(a2) - len(a1)
    if diff > 0:
        a1 = np.concatenate((np.zeros(diff, a1.dtype), a1))
    elif diff < 0:
        a2 = np.concatenate((np.zeros(-diff, a2.dtype), a2))
    return like, a1, a2


def polyadd(a1, a2):
    like, a1, a2 = _padded(a1, a2)
    return _wrap(like, a1 + a2)


def polysub(a1, a2):
    like, a1, a2 = _padded(a1, a2)
    return _wrap(like, a1 - a2)


def polymul(a1, a2):
    like = isinstance(a1, poly1d) or isinstance(a2, poly1d)
    return _wrap(like, np.convolve(_trimmed(a1), _trimmed(a2)))


def polydiv(u, v):
    u, v = np.atleast_1d(_coefficients(u)) + 0.0, np.atleast_1d(_coefficients(v)) + 0.0
    m, n = len(u) - 1, len(v) - 1
    dtype = np.result_type(u.dtype, v.dtype)
    if m < n:
        return np.zeros((1,), dtype), u
    return np.empty((m - n + 1,), dtype), _shapecheck.unknown('the degree of a remainder')
