# What hydra makes of a configuration is not known.
from _shapecheck import data_str as _data_str, unknown as _unknown


def instantiate(config, *args, **kwargs):
    return _unknown('what hydra makes of a configuration')


call = instantiate


def get_original_cwd():
    return _data_str()


def to_absolute_path(path):
    return _data_str()
