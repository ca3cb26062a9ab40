# This file defines a family of polynomials by the recurrence of its basis,
# x * P[k] = a * P[k + 1] + b * P[k] + g * P[k - 1]: the functions of numpy's modules
# polynomial, chebyshev, legendre, hermite, hermite_e and laguerre, which differ in their
# prefix alone.
import _shapecheck
import numpy as np

from . import polyutils as pu

_MOST = 64  # coefficients up to which their values are computed


def _coefs(c):
    return c.tolist()


def family(module, prefix, step, maxpower=16, line=None, weight=None, x=(0, 1), domain=(-1.0, 1.0), gauss=True):
    """The names of one of numpy's modules of polynomials.

    step(k) gives (a, b, g) of the recurrence; line(off, scl) the coefficients of off + scl*x;
    weight(x) the weight function.
    """

    def times_x(c):
        out = [0] * (len(c) + 1)
        for k in range(len(c)):
            a, b, g = step(k)
            out[k + 1] = out[k + 1] + a * c[k]
            if b:
                out[k] = out[k] + b * c[k]
            if g and k:
                out[k - 1] = out[k - 1] + g * c[k]
        return out

    def plus(p, q, sign=1):
        n = max(len(p), len(q))
        return [(p[i] if i < len(p) else 0) + sign * (q[i] if i < len(q) else 0) for i in range(n)]

    def product(p, q):
        # P[k] * q by the recurrence, for each k
        before, now = [], q
        total = [p[0] * v for v in q]
        for k in range(len(p) - 1):
            a, b, g = step(k)
            after = times_x(now)
            if b:
                after = plus(after, [b * v for v in now], -1)
            if g and k:
                after = plus(after, [g * v for v in before], -1)
            before, now = now, [v / a for v in after]
            total = plus(total, [p[k + 1] * v for v in now])
        return total[: len(p) + len(q) - 1]

    def series(c, dtype):
        return pu.trimseq(np.array(c, dtype=dtype))

    def fline(off, scl):
        if _shapecheck.is_symbolic(scl) or scl != 0:
            return np.array(line(off, scl) if line else [off, scl])
        return np.array([off])

    def fadd(c1, c2):
        [c1, c2] = pu.as_series([c1, c2])
        return series(plus(_coefs(c1), _coefs(c2)), c1.dtype)

    def fsub(c1, c2):
        [c1, c2] = pu.as_series([c1, c2])
        return series(plus(_coefs(c1), _coefs(c2), -1), c1.dtype)

    def fmulx(c):
        [c] = pu.as_series([c])
        p = _coefs(c)
        if len(p) == 1 and pu._is_zero(p[0]):
            return c
        return np.array(times_x(p), dtype=c.dtype)

    def fmul(c1, c2):
        [c1, c2] = pu.as_series([c1, c2])
        if len(c1) + len(c2) > _MOST:
            return np.empty((len(c1) + len(c2) - 1,), c1.dtype)
        return series(product(_coefs(c1), _coefs(c2)), c1.dtype)

    def fdiv(c1, c2):
        [c1, c2] = pu.as_series([c1, c2])
        p, q = _coefs(c1), _coefs(c2)
        if pu._is_zero(q[-1]):
            raise ZeroDivisionError
        if len(p) < len(q):
            return c1[:1] * 0, c1
        if len(q) == 1:
            return c1 / c2[-1], c1[:1] * 0
        n = len(p) - len(q) + 1
        if len(p) > _MOST or any(_shapecheck.is_symbolic(v) for v in p + q):
            return np.empty((n,), c1.dtype), np.empty((_shapecheck.data_int('n', 1, len(q)),), c1.dtype)
        quo = [0] * n
        for i in range(n - 1, -1, -1):
            part = product([0] * i + [1], q)
            quo[i] = p[-1] / part[-1]
            p = plus(p[:-1], [quo[i] * v for v in part[:-1]], -1)
        return np.array(quo, dtype=c1.dtype), series(p, c1.dtype)

    def fpow(c, pow, maxpower=maxpower):
        [c] = pu.as_series([c])
        power = int(pow)
        if power != pow or power < 0:
            raise ValueError('Power must be a non-negative integer.')
        if maxpower is not None and power > maxpower:
            raise ValueError('Power is too large')
        if power == 0:
            return np.array([1], dtype=c.dtype)
        if power * len(c) > _MOST:
            return np.empty((power * (len(c) - 1) + 1,), c.dtype)
        p = out = _coefs(c)
        for _ in range(power - 1):
            out = product(out, p)
        return np.array(out, dtype=c.dtype)

    def floats(c):
        c = np.array(c, ndmin=1, copy=True)
        return c.astype(np.double) if c.dtype.kind in 'biu' else c

    def fval(x, c, tensor=True):
        c = floats(c)
        if isinstance(x, (tuple, list)):
            x = np.asarray(x)
        if isinstance(x, np.ndarray) and tensor:
            c = c.reshape(c.shape + (1,) * x.ndim)
        if prefix == 'poly':
            y = c[-1] + x * 0
            for i in range(2, len(c) + 1):
                y = c[-i] + y * x
            return y
        y = c[0] + c[-1] * x
        return np.empty(np.shape(y), y.dtype)[()]

    def nested(c, arrays, tensor):
        c = fval(arrays[0], c)
        for x in arrays[1:]:
            c = fval(x, c, tensor)
        return c

    def at_points(c, *arrays):
        arrays = [np.asanyarray(a) for a in arrays]
        if any(a.shape != arrays[0].shape for a in arrays):
            raise ValueError(', '.join('xyz'[: len(arrays)]) + ' are incompatible')
        return nested(c, arrays, False)

    def fval2d(x, y, c):
        return at_points(c, x, y)

    def fval3d(x, y, z, c):
        return at_points(c, x, y, z)

    def fgrid2d(x, y, c):
        return nested(c, [x, y], True)

    def fgrid3d(x, y, z, c):
        return nested(c, [x, y, z], True)

    def fvander(x, deg):
        deg = pu._as_int(deg, 'deg')
        if deg < 0:
            raise ValueError('deg must be non-negative')
        x = np.array(x, ndmin=1) + 0.0
        return np.empty(x.shape + (deg + 1,), x.dtype)

    def vander_of(points, deg):
        if len(deg) != len(points):
            raise ValueError(f'Expected {len(points)} dimensions of degrees, got {len(deg)}')
        points = np.array(tuple(points)) + 0.0
        n = 1
        for x, d in zip(points, deg):
            v = fvander(x, d)
            n *= d + 1
        return np.empty(v.shape[:-1] + (n,), v.dtype)

    def fvander2d(x, y, deg):
        return vander_of((x, y), deg)

    def fvander3d(x, y, z, deg):
        return vander_of((x, y, z), deg)

    def fder(c, m=1, scl=1, axis=0):
        c = floats(c)
        m, axis = pu._as_int(m, 'the order of derivation'), pu._as_int(axis, 'the axis')
        if m < 0:
            raise ValueError('The order of derivation must be non-negative')
        if m == 0:
            np.moveaxis(c, axis, 0)  # which checks the axis
            return c
        rest = np.moveaxis(c, axis, 0)
        return np.moveaxis(np.empty((max(len(rest) - m, min(1, len(rest))),) + rest.shape[1:], c.dtype), 0, axis)

    def fint(c, m=1, k=[], lbnd=0, scl=1, axis=0):
        c = floats(c)
        if not np.iterable(k):
            k = [k]
        m, axis = pu._as_int(m, 'the order of integration'), pu._as_int(axis, 'the axis')
        if m < 0:
            raise ValueError('The order of integration must be non-negative')
        if len(k) > m:
            raise ValueError('Too many integration constants')
        if np.ndim(lbnd) != 0:
            raise ValueError('lbnd must be a scalar.')
        if np.ndim(scl) != 0:
            raise ValueError('scl must be a scalar.')
        rest = np.moveaxis(c, axis, 0)
        if m == 0:
            return c
        n, zero = len(rest), len(rest) == 1 and all(pu._is_zero(v) for v in rest.reshape(-1).tolist())
        for i in range(m):
            if zero:  # of zero, the constant is the integral
                zero = i >= len(k) or pu._is_zero(k[i])
            else:
                n += 1
        return np.moveaxis(np.empty((n,) + rest.shape[1:], c.dtype), 0, axis)

    def ffromroots(roots):
        if len(roots) == 0:
            return np.ones(1)
        [roots] = pu.as_series([roots], trim=False)
        return np.empty((len(roots) + 1,), np.result_type(roots.dtype, np.float64))

    def ffit(x, y, deg, rcond=None, full=False, w=None):
        x, y, deg = np.asarray(x) + 0.0, np.asarray(y) + 0.0, np.asarray(deg)
        if deg.ndim > 1 or deg.dtype.kind not in 'iu' or deg.size == 0:
            raise TypeError('deg must be an int or non-empty 1-D array of int')
        if deg.min() < 0:
            raise ValueError('expected deg >= 0')
        if x.ndim != 1:
            raise TypeError('expected 1D vector for x')
        if x.size == 0:
            raise TypeError('expected non-empty vector for x')
        if y.ndim < 1 or y.ndim > 2:
            raise TypeError('expected 1D or 2D array for y')
        if len(x) != len(y):
            raise TypeError('expected x and y to have same length')
        most = int(deg.max())
        order = most + 1 if deg.ndim == 0 else len(deg)
        lhs, rhs = np.empty((len(x), order), x.dtype), y
        if w is not None:
            w = np.asarray(w) + 0.0
            if w.ndim != 1:
                raise TypeError('expected 1D vector for w')
            if len(x) != len(w):
                raise TypeError('expected x and w to have same length')
            lhs, rhs = (lhs.T * w).T, (rhs.T * w).T
        if rcond is None:
            rcond = len(x) * np.finfo(x.dtype).eps
        scale = np.sqrt(np.square(np.abs(lhs)).sum(0))
        c, resids, rank, s = np.linalg.lstsq(lhs / scale, rhs, rcond)
        c = np.empty((most + 1,) + y.shape[1:], c.dtype)
        return (c, [resids, rank, s, rcond]) if full else c

    def fcompanion(c):
        [c] = pu.as_series([c])
        if len(c) < 2:
            raise ValueError('Series must have maximum degree of at least 1.')
        return np.empty((len(c) - 1, len(c) - 1), c.dtype)

    def froots(c):
        [c] = pu.as_series([c])
        if len(c) < 2:
            return np.array([], dtype=c.dtype)
        if len(c) == 2:
            return np.empty((1,), c.dtype)
        from numpy._poly import roots_of
        return roots_of(to_power(_coefs(c))[: len(c)][::-1], c.dtype) if len(c) <= _MOST else np.linalg.eigvals(fcompanion(c))

    def to_power(c):
        out, before, now = [0.0], [], [1.0]
        for k in range(len(c)):
            out = plus(out, [c[k] * v for v in now])
            a, b, g = step(k)
            after = [0.0] + now
            if b:
                after = plus(after, [b * v for v in now], -1)
            if g and k:
                after = plus(after, [g * v for v in before], -1)
            before, now = now, [v / a for v in after]
        return out

    def to_poly(c):
        [c] = pu.as_series([c])
        return series(to_power(_coefs(c)), c.dtype)

    def from_poly(pol):
        [pol] = pu.as_series([pol])
        out = [0.0]
        for v in _coefs(pol)[::-1]:
            out = plus(times_x(out), [v])
        return series(out[: len(pol)], pol.dtype)

    def fgauss(deg):
        deg = pu._as_int(deg, 'deg')
        if deg <= 0:
            raise ValueError('deg must be a positive integer')
        return np.empty((deg,), np.float64), np.empty((deg,), np.float64)

    def fweight(x):
        return weight(x)

    functions = {
        'line': fline, 'add': fadd, 'sub': fsub, 'mulx': fmulx, 'mul': fmul, 'div': fdiv, 'pow': fpow, 'val': fval, 'val2d': fval2d, 'val3d': fval3d,
        'grid2d': fgrid2d, 'grid3d': fgrid3d, 'vander': fvander, 'vander2d': fvander2d, 'vander3d': fvander3d, 'der': fder, 'int': fint,
        'fromroots': ffromroots, 'fit': ffit, 'companion': fcompanion, 'roots': froots, 'trim': pu.trimcoef,
    }  # fmt: skip
    names = {prefix + n: f for n, f in functions.items()}
    if prefix != 'poly':
        names.update({prefix + 'gauss': fgauss, prefix + 'weight': fweight, prefix + '2poly': to_poly, 'poly2' + prefix: from_poly})
    for n in names:
        names[n] = _shapecheck.boundary(names[n], module + '.' + n)
    if np.__version__[0] == '1':
        domain = [int(v) for v in domain]
    names.update({prefix + 'domain': np.array(domain), prefix + 'zero': np.array([0]), prefix + 'one': np.array([1]), prefix + 'x': np.array(x)})
    return names
