# This file is the package torchvision for when its own source is not there:
# the parts that scripts need to load data, and below infer/lib/stub models and their
# layers. The rest is unknown.
import importlib

__version__ = '0.14.1'


def set_image_backend(backend):
    pass


def get_image_backend():
    return 'PIL'


def get_video_backend():
    return 'pyav'


def disable_beta_transforms_warning():
    pass


def __getattr__(name):
    if name in ('models', 'ops', 'transforms', 'datasets', 'utils', 'io'):
        return importlib.import_module('torchvision.' + name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
