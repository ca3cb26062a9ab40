# chainer.distributions is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.distributions' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.distributions.%s is not modelled' % name)
