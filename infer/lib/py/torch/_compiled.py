# What torch.compile makes where the calls of a script are recorded.
import _shapecheck
from . import _grad_mode, get_default_dtype, is_autocast_enabled
from .jit._traced import name
from .nn import Module


class Compiled:
    """A function or module under torch.compile."""

    def __init__(self, func, fullgraph, dynamic):
        if isinstance(func, Compiled):
            func = func._compiled[0]
        object.__setattr__(self, '_compiled', (func, bool(fullgraph), dynamic))

    def __getattr__(self, name):
        if name == '_orig_mod' or name == '_torchdynamo_orig_callable' or name == '__wrapped__':
            return self._compiled[0]
        return getattr(self._compiled[0], name)

    def __setattr__(self, name, value):
        setattr(self._compiled[0], name, value)

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        func, fullgraph, dynamic = self._compiled
        return Compiled(func.__get__(obj, cls), fullgraph, dynamic)

    def __call__(self, *args, **kw):
        func, fullgraph, dynamic = self._compiled
        if not _shapecheck.jit_records() and not _shapecheck.compiles():
            return func(*args, **kw)
        state = str((_grad_mode.is_grad_enabled(), _grad_mode.is_inference_mode_enabled(), get_default_dtype(), is_autocast_enabled()))
        return _shapecheck.compiled_call(func, args, kw, texts(args, kw), name(func), (fullgraph, dynamic), state)


def text(x):
    """A value as a report has it."""
    if isinstance(x, (tuple, list)):
        inner = ', '.join([text(e) for e in x])
        return '(' + inner + ')' if isinstance(x, tuple) else '[' + inner + ']'
    if isinstance(x, (bool, int, float, str)) or x is None:
        return repr(x)
    if hasattr(x, 'dtype') and hasattr(x, 'shape'):
        return _shapecheck.type_text(x)
    return getattr(x, '__name__', type(x).__name__)


def texts(args, kw):
    return [text(a) for a in args] + [k + '=' + text(v) for k, v in kw.items()]
