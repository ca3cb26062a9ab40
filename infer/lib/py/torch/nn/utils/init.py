# This file defines skip_init.


def skip_init(module_cls, *args, **kwargs):
    device = kwargs.pop('device', 'cpu')
    return module_cls(*args, **kwargs)
