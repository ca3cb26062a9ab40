# This file is numpy.polynomial.hermite_e: series of Hermite polynomials of statisticians.
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


def _weight(x):
    return np.exp(-0.5 * x**2)


_names = family(__name__, 'herme', lambda k: (1.0, 0, k), weight=_weight)
globals().update(_names)


class HermiteE(ABCPolyBase):
    basis_name = 'He'


of_family(HermiteE, 'herme', _names)
