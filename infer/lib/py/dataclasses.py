# The Python part of dataclasses. _make_init, _make_field, _keep_fields and _annotation_kind are native.


class _MISSING_TYPE:
    def __repr__(self):
        return '<dataclasses._MISSING_TYPE object>'

    def __deepcopy__(self, memo):
        return self


MISSING = _MISSING_TYPE()


class _KW_ONLY_TYPE:
    pass


KW_ONLY = _KW_ONLY_TYPE()


class FrozenInstanceError(AttributeError):
    pass


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._field_type = ''

    def __repr__(self):
        return f'Field(name={self.name!r},type={self.type!r},default={self.default!r})'


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError('cannot specify both default and default_factory')
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _collect(cls, kw_only):
    """Returns all fields of the class in order, by name."""
    found = {}
    for base in reversed(cls.__mro__[1:]):
        for f in base.__dict__.get('__dataclass_fields__', {}).values():
            found[f.name] = f
    annotations = cls.__dict__.get('__annotations__', {})
    for name, type in annotations.items():
        kind = _annotation_kind(type)
        if kind == 'kw_only':
            kw_only = True
            continue
        default = cls.__dict__.get(name, MISSING)
        if not isinstance(default, Field):
            if default is not MISSING and kind != 'class' and isinstance(default, (list, dict, set)):
                raise ValueError(f'mutable default {default.__class__} for field {name} is not allowed: use default_factory')
            found[name] = _make_field(Field, name, type, default, MISSING, False if kind == 'class' else kw_only, kind)
            continue
        f = default
        if f.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, f.default)
        f.name = name
        f.type = type
        f._field_type = kind
        if kind == 'class':
            f.kw_only = False
        elif f.kw_only is MISSING:
            f.kw_only = kw_only
        if f.default is not MISSING and kind != 'class' and isinstance(f.default, (list, dict, set)):
            raise ValueError(f'mutable default {f.default.__class__} for field {name} is not allowed: use default_factory')
        found[name] = f
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f'{name!r} is a field but has no type annotation')
    return found


def _values(obj, names):
    return tuple([getattr(obj, n) for n in names])


def _set(cls, name, func):
    if name in cls.__dict__:
        return True
    func.__name__ = name
    setattr(cls, name, func)
    return False


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only):
    found = _collect(cls, kw_only)
    cls.__dataclass_fields__ = found
    members = [f for f in found.values() if f._field_type == '']
    if init and '__init__' not in cls.__dict__:
        specs = [(f.name, f._field_type, f.init, f.kw_only, f.default, f.default_factory) for f in found.values() if f._field_type != 'class']
        cls.__init__ = _make_init(cls, specs, frozen, MISSING)
    if repr:
        shown = [f.name for f in members if f.repr]

        def __repr__(self):
            return self.__class__.__qualname__ + '(' + ', '.join([f'{n}={getattr(self, n)!r}' for n in shown]) + ')'
        _set(cls, '__repr__', __repr__)
    compared = [f.name for f in members if f.compare]
    explicit_hash = '__hash__' in cls.__dict__ and not (cls.__dict__['__hash__'] is None and '__eq__' in cls.__dict__)
    if eq:
        def __eq__(self, other):
            if other.__class__ is self.__class__:
                return _values(self, compared) == _values(other, compared)
            return NotImplemented
        _set(cls, '__eq__', __eq__)
    if order:
        if not eq:
            raise ValueError('eq must be true if order is true')

        def __lt__(self, other):
            return _values(self, compared) < _values(other, compared) if other.__class__ is self.__class__ else NotImplemented

        def __le__(self, other):
            return _values(self, compared) <= _values(other, compared) if other.__class__ is self.__class__ else NotImplemented

        def __gt__(self, other):
            return _values(self, compared) > _values(other, compared) if other.__class__ is self.__class__ else NotImplemented

        def __ge__(self, other):
            return _values(self, compared) >= _values(other, compared) if other.__class__ is self.__class__ else NotImplemented

        for func in (__lt__, __le__, __gt__, __ge__):
            if _set(cls, func.__name__, func):
                raise TypeError(f'Cannot overwrite attribute {func.__name__} in class {cls.__name__}. Consider using functools.total_ordering')
    if frozen:
        names = [f.name for f in members]

        def __setattr__(self, name, value):
            if type(self) is cls or name in names:
                raise FrozenInstanceError(f'cannot assign to field {name!r}')
            super(cls, self).__setattr__(name, value)

        def __delattr__(self, name):
            if type(self) is cls or name in names:
                raise FrozenInstanceError(f'cannot delete field {name!r}')
            super(cls, self).__delattr__(name)

        cls.__setattr__ = __setattr__
        cls.__delattr__ = __delattr__
    if unsafe_hash or (eq and frozen and not explicit_hash):
        hashed = [f.name for f in members if (f.compare if f.hash is None else f.hash)]

        def __hash__(self):
            return hash(_values(self, hashed))
        cls.__hash__ = __hash__
    elif eq and not explicit_hash:
        cls.__hash__ = None
    if match_args and '__match_args__' not in cls.__dict__:
        cls.__match_args__ = tuple([f.name for f in found.values() if f._field_type != 'class' and f.init and not f.kw_only])
    return cls


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    found = getattr(class_or_instance, '__dataclass_fields__', None)
    if found is None:
        raise TypeError('must be called with a dataclass type or instance')
    return tuple([f for f in found.values() if f._field_type == ''])


def is_dataclass(obj):
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, '__dataclass_fields__')


def _is_instance(obj):
    return hasattr(type(obj), '__dataclass_fields__')


def _convert(obj, top, factory):
    if _is_instance(obj):
        pairs = [(f.name, _convert(getattr(obj, f.name), top, factory)) for f in fields(obj)]
        return factory(pairs) if top == 'dict' else factory([v for _, v in pairs])
    if isinstance(obj, tuple) and hasattr(obj, '_fields'):
        return type(obj)(*[_convert(v, top, factory) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_convert(v, top, factory) for v in obj])
    if isinstance(obj, dict):
        if hasattr(type(obj), 'default_factory'):
            result = type(obj)(obj.default_factory)
            for k, v in obj.items():
                result[_convert(k, top, factory)] = _convert(v, top, factory)
            return result
        return type(obj)([(_convert(k, top, factory), _convert(v, top, factory)) for k, v in obj.items()])
    import copy
    return copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError('asdict() should be called on dataclass instances')
    return _convert(obj, 'dict', dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError('astuple() should be called on dataclass instances')
    return _convert(obj, 'tuple', tuple_factory)


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError('replace() should be called on dataclass instances')
    for f in _keep_fields(obj, obj.__dataclass_fields__, changes):
        if f._field_type == 'class':
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f'field {f.name} is declared with init=False, it cannot be specified with replace()')
            continue
        if f.name not in changes:
            if f._field_type == 'init' and f.default is MISSING:
                raise ValueError(f'InitVar {f.name!r} must be specified with replace()')
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    namespace = {} if namespace is None else dict(namespace)
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            annotations[item] = 'typing.Any'
        else:
            annotations[item[0]] = item[1]
            if len(item) == 3:
                namespace[item[0]] = item[2]
    namespace['__annotations__'] = annotations
    return dataclass(type(cls_name, bases, namespace), **options)
