# This file is the package torchvision for when its own source is not there:
# only the parts that scripts need to load data. The rest is unknown.
__version__ = '0.14.1'


def set_image_backend(backend):
    pass


def get_image_backend():
    return 'PIL'


def get_video_backend():
    return 'pyav'


def disable_beta_transforms_warning():
    pass
