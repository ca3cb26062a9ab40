# This file is numpy.polynomial.hermite: series of Hermite polynomials of physicists.
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


def _weight(x):
    return np.exp(-(x**2))


_names = family(__name__, 'herm', lambda k: (0.5, 0, k), line=lambda off, scl: [off, scl / 2], weight=_weight, x=(0, 0.5))
globals().update(_names)


class Hermite(ABCPolyBase):
    basis_name = 'H'


of_family(Hermite, 'herm', _names)
