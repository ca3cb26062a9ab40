# This file is numpy.polynomial.polynomial: series of powers of x.
import _shapecheck
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


_names = family(__name__, 'poly', lambda k: (1.0, 0, 0), maxpower=None)
globals().update(_names)


def polyvalfromroots(x, r, tensor=True):
    r = np.array(r, ndmin=1)
    if r.dtype.kind in 'biu':
        r = r.astype(np.double)
    if isinstance(x, (tuple, list)):
        x = np.asarray(x)
    if isinstance(x, np.ndarray):
        if tensor:
            r = r.reshape(r.shape + (1,) * x.ndim)
        elif x.ndim >= r.ndim:
            raise ValueError('x.ndim must be < r.ndim when tensor == False')
    return np.prod(x - r, axis=0)


polyvalfromroots = _shapecheck.boundary(polyvalfromroots, __name__ + '.polyvalfromroots')


class Polynomial(ABCPolyBase):
    pass


of_family(Polynomial, 'poly', _names)
