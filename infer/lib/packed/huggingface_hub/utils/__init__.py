# The package huggingface_hub.utils.
import _shapecheck
from tqdm.auto import tqdm
from ..errors import *


def validate_hf_hub_args(fn):
    return fn


def is_jinja_available():
    return False


def send_telemetry(*args, **kwargs):
    pass


def enable_progress_bars(name=None):
    pass


def disable_progress_bars(name=None):
    pass


def are_progress_bars_disabled(name=None):
    return True


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('what comes from the hub of models')
