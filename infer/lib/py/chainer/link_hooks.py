# chainer.link_hooks is not modelled: what comes from it is unknown.
import _shapecheck


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'chainer.link_hooks' has no attribute '%s'" % name)
    return _shapecheck.unknown('chainer.link_hooks.%s is not modelled' % name)
