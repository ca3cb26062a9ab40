# The module huggingface_hub.utils.logging.
import logging


def get_logger(name=None):
    return logging.getLogger(name)


def set_verbosity(level):
    pass


def set_verbosity_info():
    pass


def set_verbosity_warning():
    pass


def set_verbosity_debug():
    pass


def set_verbosity_error():
    pass


def get_verbosity():
    return logging.WARNING
