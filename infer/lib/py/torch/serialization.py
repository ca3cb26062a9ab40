# This file is torch.serialization.
from . import load, save


def add_safe_globals(safe_globals):
    pass


class safe_globals:
    def __init__(self, safe_globals):
        pass

    def __enter__(self):
        pass

    def __exit__(self, type, value, tb):
        pass


def clear_safe_globals():
    pass


def get_safe_globals():
    return []


def get_default_mmap_options():
    return 2


def set_default_mmap_options(flags):
    pass


skip_data = safe_globals
