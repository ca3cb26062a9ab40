# chainer.distribution is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.distribution' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.distribution.%s is not modelled' % name)
