# This file is numpy.polynomial: its modules and classes, and how they print.
from . import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from .chebyshev import Chebyshev
from .hermite import Hermite
from .hermite_e import HermiteE
from .laguerre import Laguerre
from .legendre import Legendre
from .polynomial import Polynomial


def set_default_printstyle(style):
    if style not in ('unicode', 'ascii'):
        raise ValueError(f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'")


def test(*args, **kwargs):
    pass
