# The classes of jax.core that programs ask for: a tracer is an array of a trace that runs.
from ._core import Array


class _Traced(type):
    def __instancecheck__(cls, x):
        return isinstance(x, Array) and bool(x._t) and x._t != -1


class Tracer(metaclass=_Traced):
    pass
