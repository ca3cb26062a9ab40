# What torch.compile makes of a module where the calls of a script are recorded.
import _shapecheck
from ._compiled import name, state
from .nn import Module


class OptimizedModule(Module):
    """A module under torch.compile: its attributes are those of the module."""

    def __init__(self, module, fullgraph, dynamic, backend):
        self.__dict__['_compiled'] = (module, bool(fullgraph), dynamic, name(module), backend)
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
        return _shapecheck.compiled_call(self._compiled, args, kw, state)
