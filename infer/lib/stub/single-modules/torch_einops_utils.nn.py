import contextlib as _contextlib
import functools as _functools
from torch import nn as _nn


def Sequential(*modules):
    return _nn.Sequential(*(m for m in modules if m is not None))


class Identity(_nn.Module):
    def forward(self, t, *args, **kwargs):
        return t


class Lambda(_nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, t, *args, **kwargs):
        return self.fn(t, *args, **kwargs)


def temp_eval(fn_or_module):
    @_contextlib.contextmanager
    def evaluating(module):
        training = module.training
        module.eval()
        try:
            yield
        finally:
            module.train(training)
    if isinstance(fn_or_module, _nn.Module):
        return evaluating(fn_or_module)

    @_functools.wraps(fn_or_module)
    def inner(self, *args, **kwargs):
        with evaluating(self):
            return fn_or_module(self, *args, **kwargs)
    return inner
