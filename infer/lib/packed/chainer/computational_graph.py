# chainer.computational_graph is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.computational_graph' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.computational_graph.%s is not modelled' % name)
