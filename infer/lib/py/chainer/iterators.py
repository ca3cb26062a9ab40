# chainer.iterators is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.iterators' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.iterators.%s is not modelled' % name)
