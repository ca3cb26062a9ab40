# This file stands for unittest.util.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('unittest.util.' + name + ' is not modelled')
