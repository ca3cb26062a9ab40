# chainer.graph_optimizations is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.graph_optimizations' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.graph_optimizations.%s is not modelled' % name)
