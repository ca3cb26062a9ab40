# This file is torch.amp. Autocast is a mode of the interpreter; the scaler hands its
# argument on.
import functools
import torch
from .._modes import active, fast_dtypes as _dtypes, put

def is_autocast_available(device_type):
    return device_type in _dtypes


def fast_dtype(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if device_type not in _dtypes:
        raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
    return _dtypes[device_type]


def set_fast_dtype(device_type, dtype):
    fast_dtype(device_type)
    _dtypes[device_type] = dtype


def is_enabled(device_type):
    fast_dtype(device_type)
    return 'autocast:' + device_type in active


def set_enabled(device_type, enabled):
    put('autocast:' + device_type, fast_dtype(device_type) if enabled else None)


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        self.fast_dtype = fast_dtype(device_type)
        self.device = device_type
        self.custom_backend_name = 'privateuseone'
        if dtype is not None:
            self.fast_dtype = dtype
        if device_type == 'cpu':
            enabled = enabled and self.fast_dtype in (torch.bfloat16, torch.float16)
        elif device_type == 'cuda':
            enabled = enabled and torch.cuda.is_available()
        self._enabled = enabled

    def __enter__(self):
        self._kept_dtype = _dtypes[self.device]
        _dtypes[self.device] = self.fast_dtype
        self._kept = put('autocast:' + self.device, self.fast_dtype if self._enabled else None)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        put('autocast:' + self.device, self._kept)
        _dtypes[self.device] = self._kept_dtype
        return False

    def __call__(self, func):
        @functools.wraps(func)
        def decorate_autocast(*args, **kwargs):
            with self:
                return func(*args, **kwargs)
        return decorate_autocast


class GradScaler:
    def __init__(self, device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._scale = init_scale

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def get_scale(self):
        return self._scale

    def is_enabled(self):
        return False

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


def custom_fwd(fwd=None, *, device_type=None, cast_inputs=None):
    if fwd is None:
        return lambda f: f
    return fwd


def custom_bwd(bwd=None, *, device_type=None):
    if bwd is None:
        return lambda f: f
    return bwd
