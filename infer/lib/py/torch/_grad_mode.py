# This file defines the gradient modes. A decorated function stays itself: the
# mode changes no type.

_enabled = [True]
_inference = [False]


class _Mode:
    def __new__(cls, orig_func=None, *args, **kwargs):
        if callable(orig_func):  # @torch.no_grad without parentheses
            return orig_func
        return super().__new__(cls)

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, func):
        return func

    def __enter__(self):
        self.prev = _enabled[0]
        self.enter()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        _enabled[0] = self.prev

    def clone(self):
        return type(self)()


class no_grad(_Mode):
    def enter(self):
        _enabled[0] = False


class enable_grad(_Mode):
    def enter(self):
        _enabled[0] = True


class set_grad_enabled(_Mode):
    def __init__(self, mode):
        self.mode = mode
        self.prev = _enabled[0]
        _enabled[0] = mode

    def __enter__(self):
        _enabled[0] = self.mode
        return self

    def __call__(self, func):
        _enabled[0] = self.prev
        return func

    def clone(self):
        return type(self)(self.mode)


class inference_mode(_Mode):
    def __init__(self, mode=True):
        self.mode = mode

    def enter(self):
        self.prev_inference = _inference[0]
        if self.mode:
            _enabled[0] = False
        _inference[0] = self.mode

    def __exit__(self, exc_type, exc_value, traceback):
        _enabled[0] = self.prev
        _inference[0] = self.prev_inference


def is_grad_enabled():
    return _enabled[0]


def is_inference_mode_enabled():
    return _inference[0]
