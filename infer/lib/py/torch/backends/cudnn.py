# This file is torch.backends.cudnn.
import contextlib

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True
benchmark_limit = 10


def is_available():
    return False


def version():
    return None


def is_acceptable(tensor):
    return False


def set_flags(*args, **kwargs):
    return enabled, benchmark, deterministic, allow_tf32


@contextlib.contextmanager
def flags(*args, **kwargs):
    yield
