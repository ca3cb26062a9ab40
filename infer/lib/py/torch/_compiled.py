# What torch.compile makes where the calls of a script are recorded.
import _shapecheck
from . import _grad_mode, get_autocast_dtype, get_default_dtype, is_autocast_enabled
from .jit._traced import name
from .nn import Module


class Compiled:
    """A function under torch.compile."""

    def __init__(self, func, fullgraph, dynamic):
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
        return call(self._compiled, args, kw)


def compiled(func, fullgraph, dynamic):
    return (OptimizedModule if isinstance(func, Module) else Compiled)(func, fullgraph, dynamic)


class OptimizedModule(Module):
    """A module under torch.compile: its attributes are those of the module."""

    def __init__(self, module, fullgraph, dynamic):
        self.__dict__['_compiled'] = (module, bool(fullgraph), dynamic)
        self.__dict__['_made'] = False
        super().__init__()
        self._modules['_orig_mod'] = module
        self.__dict__['_made'] = True

    def __getattr__(self, name):
        if name == '_orig_mod':
            return self._compiled[0]
        return getattr(self._compiled[0], name)

    def __setattr__(self, name, value):
        if self.__dict__['_made']:
            setattr(self._compiled[0], name, value)
        else:
            super().__setattr__(name, value)

    def __call__(self, *args, **kw):
        return call(self._compiled, args, kw)


def call(compiled, args, kw):
    """Calls what was compiled, on record."""
    func, fullgraph, dynamic = compiled
    if not _shapecheck.jit_records() and not _shapecheck.compiles():
        if _shapecheck.may_run():
            return _shapecheck.may_call('compile', '', name(func), texts(args, kw), lambda: func(*args, **kw))
        return func(*args, **kw)
    state = str((_grad_mode.is_grad_enabled(), _grad_mode.is_inference_mode_enabled(), get_default_dtype(), is_autocast_enabled(), is_autocast_enabled('cpu'), get_autocast_dtype('cpu')))
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
