# chainer.function_hooks is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.function_hooks' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.function_hooks.%s is not modelled' % name)
