# chainer.gradient_check is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.gradient_check' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.gradient_check.%s is not modelled' % name)
