# This file is numpy.polynomial.chebyshev: series of Chebyshev polynomials of the first kind.
import _shapecheck
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


def _weight(x):
    return 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x))


_names = family(__name__, 'cheb', lambda k: (0.5, 0, 0.5) if k else (1.0, 0, 0), weight=_weight)
globals().update(_names)


def chebpts1(npts):
    n = int(npts)
    if n != npts:
        raise ValueError('npts must be integer')
    if n < 1:
        raise ValueError('npts must be >= 1')
    return np.empty((n,), np.float64)


def chebpts2(npts):
    n = int(npts)
    if n != npts:
        raise ValueError('npts must be integer')
    if n < 2:
        raise ValueError('npts must be >= 2')
    return np.empty((n,), np.float64)


def chebinterpolate(func, deg, args=()):
    deg = np.asarray(deg)
    if deg.ndim > 0 or deg.dtype.kind not in 'iu' or deg.size == 0:
        raise TypeError('deg must be an int')
    if deg < 0:
        raise ValueError('expected deg >= 0')
    x = chebpts1(int(deg) + 1)
    return np.dot(chebvander(x, int(deg)).T, func(x, *args))


for _f in (chebpts1, chebpts2, chebinterpolate):
    globals()[_f.__name__] = _shapecheck.boundary(_f, __name__ + '.' + _f.__name__)


class Chebyshev(ABCPolyBase):
    basis_name = 'T'

    @classmethod
    def interpolate(cls, func, deg, domain=None, args=()):
        domain = cls.domain if domain is None else domain
        from .polyutils import mapdomain
        return cls(chebinterpolate(lambda x: func(mapdomain(x, cls.window, domain), *args), deg), domain=domain)


of_family(Chebyshev, 'cheb', _names)
