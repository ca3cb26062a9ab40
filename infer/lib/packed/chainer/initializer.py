# The module under which chainer.Initializer is defined.
from .initializers import Initializer, get_fans
