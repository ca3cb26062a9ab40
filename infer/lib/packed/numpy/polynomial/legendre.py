# This file is numpy.polynomial.legendre: series of Legendre polynomials.
import numpy as np

from ._class import ABCPolyBase, of_family
from ._family import family


def _weight(x):
    return x * 0.0 + 1.0


_names = family(__name__, 'leg', lambda k: ((k + 1) / (2 * k + 1), 0, k / (2 * k + 1)), weight=_weight)
globals().update(_names)


class Legendre(ABCPolyBase):
    basis_name = 'P'


of_family(Legendre, 'leg', _names)
