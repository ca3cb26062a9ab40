# What torch.compile makes where the calls of a script are recorded.
import _shapecheck
from ._grad_mode import _enabled, _inference
from ._modes import active, fast_dtypes
from .nn import Module


class Compiled:
    """A function under torch.compile."""

    def __init__(self, func, fullgraph, dynamic):
        object.__setattr__(self, '_compiled', (func, bool(fullgraph), dynamic, name(func)))

    def __getattr__(self, name):
        if name == '_orig_mod' or name == '_torchdynamo_orig_callable' or name == '__wrapped__':
            return self._compiled[0]
        return getattr(self._compiled[0], name)

    def __setattr__(self, name, value):
        setattr(self._compiled[0], name, value)

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        func, fullgraph, dynamic, _ = self._compiled
        return Compiled(func.__get__(obj, cls), fullgraph, dynamic)

    def __call__(self, *args, **kw):
        return call(self._compiled, args, kw)


def name(func):
    return getattr(func, '__name__', type(func).__name__)


def compiled(func, fullgraph, dynamic):
    return (OptimizedModule if isinstance(func, Module) else Compiled)(func, fullgraph, dynamic)


class OptimizedModule(Module):
    """A module under torch.compile: its attributes are those of the module."""

    def __init__(self, module, fullgraph, dynamic):
        self.__dict__['_compiled'] = (module, bool(fullgraph), dynamic, name(module))
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
    func, fullgraph, dynamic, called = compiled
    if not _shapecheck.jit_records() and not _shapecheck.compiles():
        if _shapecheck.may_run():
            return _shapecheck.may_call('compile', '', called, _shapecheck.argument_texts(args, kw), lambda: func(*args, **kw))
        return func(*args, **kw)
    state = (_enabled[0], _inference[0], _shapecheck.get_option('default-dtype'), 'autocast:cuda' in active, 'autocast:cpu' in active, fast_dtypes['cpu'])
    return _shapecheck.compiled_call(func, args, kw, called, (fullgraph, dynamic), state)
