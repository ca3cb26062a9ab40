# tf.config.
import _shapecheck
from ._core import state


def run_functions_eagerly(run_eagerly):
    state.eagerly = run_eagerly


def functions_run_eagerly():
    return state.eagerly


def list_physical_devices(device_type=None):
    return []


list_logical_devices = list_physical_devices


def set_visible_devices(*args, **kw):
    pass


def set_soft_device_placement(enabled):
    pass


class optimizer:
    set_jit = staticmethod(lambda *args: None)
    set_experimental_options = staticmethod(lambda *args: None)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.config.' + name)
