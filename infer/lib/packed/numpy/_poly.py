# This file defines polynomials: poly1d with its coefficients in a list, as models use
# it to make binomial filters, and the functions on arrays of coefficients.
import _shapecheck
import numpy as np  # its names are there by the time they are used


class poly1d:
    def __init__(self, c_or_r, r=False, variable=None):
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
    if np.ndim(seq_of_zeros) == 0:
        raise TypeError('dispatcher for __array_function__ did not return an iterable')
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
    coefs = p.tolist()
    if any(_shapecheck.is_symbolic(c) for c in coefs):
        if len(p) == 0:
            return np.array([])
        return _shapecheck.unknown('how many roots there are, and whether they are real')
    while len(coefs) > 0 and coefs[0] == 0:
        coefs = coefs[1:]
    zeros = 0
    while len(coefs) > 0 and coefs[-1] == 0:
        coefs = coefs[:-1]
        zeros += 1
    dtype = p.dtype if p.dtype.kind in 'fc' else np.dtype(np.float64)
    if len(coefs) < 2:
        return np.array([]) if len(coefs) == 0 or zeros == 0 else np.zeros((zeros,), np.array([]).dtype)
    found = roots_of(coefs, dtype)
    return found if zeros == 0 or _shapecheck.is_unknown(found) else np.empty((len(coefs) - 1 + zeros,), found.dtype)


def roots_of(coefs, dtype):
    """The roots of a polynomial, the highest degree first: complex unless all are real."""
    n = len(coefs) - 1
    if dtype.kind == 'c':
        return np.empty((n,), dtype)
    real = _all_real(coefs)
    if real is None:
        return np.linalg.eigvals(np.empty((n, n), dtype))
    return np.empty((n,), dtype if real else np.result_type(dtype, np.complex64))


def _all_real(p):
    """Whether all roots are real, by Sturm's chain; None where that is not sure."""
    n = len(p) - 1
    if n > 32 or any(_shapecheck.is_symbolic(c) or abs(c) > 1e12 for c in p):
        return None
    chain = [p, [c * (n - i) for i, c in enumerate(p[:-1])]]
    while len(chain[-1]) > 1:
        a, b = list(chain[-2]), chain[-1]
        size = max(abs(c) for c in a)
        for i in range(len(a) - len(b) + 1):
            q = a[i] / b[0]
            for j, c in enumerate(b):
                a[i + j] = a[i + j] - q * c
        rest = [-c for c in a[len(a) - len(b) + 1 :]]
        if abs(rest[0]) < 1e-9 * size:
            return None  # a root that repeats, or a rest of lower degree
        chain.append(rest)
    signs = [(c[0] > 0, (c[0] > 0) == (len(c) % 2 == 1)) for c in chain]
    changes = [sum(a[side] != b[side] for a, b in zip(signs, signs[1:])) for side in (0, 1)]
    return changes[1] - changes[0] == n


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
    rest, over = u.tolist(), v.tolist()
    if u.ndim > 1 or v.ndim > 1:
        return _shapecheck.unknown('a quotient of matrices')
    if len(rest) > 64 or any(_shapecheck.is_symbolic(c) for c in rest + over):
        return np.empty((m - n + 1,), dtype), np.empty((_shapecheck.data_int('n', 1, m + 2),), dtype)
    if over[0] == 0:
        return _shapecheck.unknown('a division by a polynomial with a leading zero')
    for i in range(m - n + 1):
        q = rest[i] / over[0]
        for j in range(n + 1):
            rest[i + j] = rest[i + j] - q * over[j]
    while len(rest) > 1 and abs(rest[0]) <= 1e-14:  # as numpy takes them for zeros
        rest = rest[1:]
    return np.empty((m - n + 1,), dtype), np.array(rest, dtype=dtype)
