# What torch.compile makes where the calls of a script are recorded.
import _shapecheck
from ._grad_mode import _enabled
from ._modes import active, fast_dtypes, numerics


# What torch.compiler.set_stance says of calls.
stance = ['default']

# What decides over a graph besides its arguments.
state = (_enabled, active, fast_dtypes, numerics, stance)


class Compiled:
    """A function under torch.compile."""

    def __init__(self, func, fullgraph, dynamic, backend):
        object.__setattr__(self, '_compiled', (func, bool(fullgraph), dynamic, name(func), backend))

    def __getattr__(self, name):
        if name == '_orig_mod' or name == '_torchdynamo_orig_callable' or name == '__wrapped__':
            return self._compiled[0]
        return getattr(self._compiled[0], name)

    def __setattr__(self, name, value):
        setattr(self._compiled[0], name, value)

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        func, fullgraph, dynamic, _, backend = self._compiled
        return Compiled(func.__get__(obj, cls), fullgraph, dynamic, backend)

    def __call__(self, *args, **kw):
        return _shapecheck.compiled_call(self._compiled, args, kw, state)


def name(func):
    return getattr(func, '__name__', type(func).__name__)


def compiled(func, fullgraph, dynamic, backend):
    """A function or module under torch.compile; backend has its name or function, its mode and options."""
    if type(func) is not type(name):  # a function needs no torch.nn
        from .nn import Module
        if isinstance(func, Module):
            from ._optimized import OptimizedModule
            return OptimizedModule(func, fullgraph, dynamic, backend)
    return Compiled(func, fullgraph, dynamic, backend)
