# This file defines the gradient modes. A decorated function stays itself, with a mark: the interpreter enters the mode where it is called.
import _shapecheck
from ._modes import put

_enabled = [True]
_inference = [False]


# The mode that the interpreter sees: off, on, or not known.
def _switch(mode):
    _enabled[0] = mode
    if _shapecheck.is_symbolic(mode) or _shapecheck.is_unknown(mode):
        put('grad', 'unknown')
    else:
        put('grad', None if mode else False)


def _mark(func, mode):
    _shapecheck.runs_in_mode(func, mode)
    return func


class _Mode:
    def __new__(cls, orig_func=None, *args, **kwargs):
        if callable(orig_func):  # @torch.no_grad without parentheses
            return _mark(orig_func, cls())
        return super().__new__(cls)

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, func):
        return _mark(func, self)

    def __enter__(self):
        self.prev = _enabled[0]
        self.enter()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _switch(self.prev)

    def clone(self):
        return type(self)()


class no_grad(_Mode):
    def enter(self):
        _switch(False)


class enable_grad(_Mode):
    def enter(self):
        _switch(True)


class set_grad_enabled(_Mode):
    def __init__(self, mode):
        self.mode = mode
        self.prev = _enabled[0]
        _switch(mode)

    def __enter__(self):
        _switch(self.mode)
        return self

    def __call__(self, func):
        _switch(self.prev)
        return _mark(func, self)

    def clone(self):
        return type(self)(self.mode)


class inference_mode(_Mode):
    def __init__(self, mode=True):
        self.mode = mode

    def enter(self):
        self.prev_inference = _inference[0]
        if self.mode:
            _switch(False)
        self.infers(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _switch(self.prev)
        self.infers(self.prev_inference)

    def infers(self, mode):
        _inference[0] = mode
        put('inference', None if mode is False else mode)


def is_grad_enabled():
    return _enabled[0]


def is_inference_mode_enabled():
    return _inference[0]
