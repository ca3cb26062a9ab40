# The Python part of types.


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __repr__(self):
        return 'namespace(' + ', '.join([f'{k}={v!r}' for k, v in vars(self).items()]) + ')'

    def __eq__(self, other):
        if isinstance(other, SimpleNamespace):
            return vars(self) == vars(other)
        return NotImplemented


def new_class(name, bases=(), kwds=None, exec_body=None):
    ns = {}
    if exec_body is not None:
        exec_body(ns)
    kwds = dict(kwds) if kwds else {}
    return kwds.pop('metaclass', type)(name, bases, ns, **kwds)


def resolve_bases(bases):
    return bases


def coroutine(func):
    return func
