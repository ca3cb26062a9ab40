# This file defines numpy.exceptions.
from numpy import AxisError, ComplexWarning, VisibleDeprecationWarning


class DTypePromotionError(TypeError):
    pass


class TooHardError(RuntimeError):
    pass


class RankWarning(RuntimeWarning):
    pass
