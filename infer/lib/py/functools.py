# The Python part of functools. reduce, partial, lru_cache and cache are native.

# Without __annotations__: what asks for them follows __wrapped__.
WRAPPER_ASSIGNMENTS = ('__module__', '__name__', '__qualname__', '__doc__')
WRAPPER_UPDATES = ('__dict__',)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for attr in assigned:
        try:
            value = getattr(wrapped, attr)
        except AttributeError:
            pass
        else:
            setattr(wrapper, attr, value)
    for attr in updated:
        for key, value in getattr(wrapped, attr, {}).items():
            setattr(wrapper, key, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)
    return decorate


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = getattr(func, '__name__', None)
        self.__doc__ = getattr(func, '__doc__', None)

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        # Not setattr: a class with a __setattr__ of its own must not see it.
        object.__setattr__(instance, self.attrname, value)
        return value


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        bind = getattr(type(self.func), '__get__', None)
        func = self.func
        if isinstance(func, partial):
            func = partial(func, obj) if obj is not None else func
        elif bind is not None:
            func = func.__get__(obj, cls)
        elif obj is not None:
            func = partial(func, obj)
        return partial(func, *self.args, **self.keywords)


def cmp_to_key(mycmp):
    class K:
        __slots__ = ['obj']

        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

    return K


def _not(x):
    return x if x is NotImplemented else not x


def _either(x, y):
    return x if x is NotImplemented else (x or y)


def _both(x, y):
    return x if x is NotImplemented else (x and y)


_ORDERINGS = {
    '__lt__': [('__gt__', lambda a, b: _both(_not(type(a).__lt__(a, b)), a != b)),
               ('__le__', lambda a, b: _either(type(a).__lt__(a, b), a == b)),
               ('__ge__', lambda a, b: _not(type(a).__lt__(a, b)))],
    '__le__': [('__ge__', lambda a, b: _either(_not(type(a).__le__(a, b)), a == b)),
               ('__lt__', lambda a, b: _both(type(a).__le__(a, b), a != b)),
               ('__gt__', lambda a, b: _not(type(a).__le__(a, b)))],
    '__gt__': [('__lt__', lambda a, b: _both(_not(type(a).__gt__(a, b)), a != b)),
               ('__ge__', lambda a, b: _either(type(a).__gt__(a, b), a == b)),
               ('__le__', lambda a, b: _not(type(a).__gt__(a, b)))],
    '__ge__': [('__le__', lambda a, b: _either(_not(type(a).__ge__(a, b)), a == b)),
               ('__gt__', lambda a, b: _both(type(a).__ge__(a, b), a != b)),
               ('__lt__', lambda a, b: _not(type(a).__ge__(a, b)))],
}


def total_ordering(cls):
    roots = [op for op in _ORDERINGS if getattr(cls, op, None) is not getattr(object, op, None)]
    if not roots:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    for root in ('__lt__', '__le__', '__gt__', '__ge__'):
        if root in roots:
            for name, func in _ORDERINGS[root]:
                if name not in roots:
                    setattr(cls, name, func)
            return cls


def _dispatch(registry, cls):
    for base in cls.__mro__:
        if base in registry:
            return registry[base]
    for base, func in registry.items():
        if base is not object and issubclass(cls, base):
            return func
    return registry[object]


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        return _dispatch(registry, cls)

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            annotations = getattr(cls, '__annotations__', {})
            func = cls
            cls = None
            for name, hint in annotations.items():
                if name != 'return':
                    cls = hint
                    break
            if cls is None:
                raise TypeError('Invalid first argument to `register()`: use either `@register(some_class)` or plain `@register` on an annotated function.')
        for one in getattr(cls, '__args__', None) or (cls,):
            registry[one] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f'{getattr(func, "__name__", "singledispatch function")} requires at least 1 positional argument')
        return dispatch(args[0].__class__)(*args, **kw)

    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(args[0].__class__).__get__(obj, cls)(*args, **kwargs)
        update_wrapper(method, self.func)
        method.register = self.register
        return method
