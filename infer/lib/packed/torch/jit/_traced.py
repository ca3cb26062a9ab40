# What torch.jit.trace makes, where the runs of a script's traces are recorded.
import _shapecheck
from .._compiled import name


class TracingCheckError(Exception):
    pass


class Traced:
    """A function or module that was traced: its runs give what the trace kept."""

    def __init__(self, func, number):
        object.__setattr__(self, '_traced', (func, number))

    def __getattr__(self, name):
        return getattr(self._traced[0], name)

    def __setattr__(self, name, value):
        setattr(self._traced[0], name, value)

    def __call__(self, *args, **kw):
        func, number = self._traced
        if kw or not _shapecheck.jit_records():
            return func(*args, **kw)
        return _shapecheck.jit_run(number, args, [text(a) for a in args], '')

    forward = __call__


def text(x):
    if isinstance(x, (tuple, list)):
        inner = ', '.join([text(e) for e in x])
        return '(' + inner + ')' if isinstance(x, tuple) else '[' + inner + ']'
    return _shapecheck.type_text(x)


def record(kind, func, args, check):
    return _shapecheck.jit_trace(kind, func, args, name(func), [text(a) for a in args], TracingCheckError if check else None)


def trace(func, args, check):
    if not isinstance(args, tuple):
        args = (args,)
    return Traced(func, record('jit.trace', func, args, bool(check)))
