# chainer.training is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.training' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.training.%s is not modelled' % name)
