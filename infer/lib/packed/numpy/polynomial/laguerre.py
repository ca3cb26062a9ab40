# This file is numpy.polynomial.laguerre: series of Laguerre polynomials.
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


def _weight(x):
    return np.exp(-x)


_names = family(__name__, 'lag', lambda k: (-(k + 1.0), 2 * k + 1.0, -k), line=lambda off, scl: [off + scl, -scl], weight=_weight, x=(1, -1), domain=(0.0, 1.0))
globals().update(_names)


class Laguerre(ABCPolyBase):
    basis_name = 'L'


of_family(Laguerre, 'lag', _names)
