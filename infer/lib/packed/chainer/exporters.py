# chainer.exporters is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.exporters' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.exporters.%s is not modelled' % name)
