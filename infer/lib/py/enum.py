# The module enum. _is_descriptor and _owner are native.

import _shapecheck

_builtin_property = property


class auto:
    """A value that the class fills in; operators on it are put off until then."""

    def __init__(self, op=None, left=None, right=None):
        self._op = op
        self._left = left
        self._right = right
        self.value = None

    def __or__(self, other):
        return auto('|', self, other)

    def __ror__(self, other):
        return auto('|', other, self)

    def __and__(self, other):
        return auto('&', self, other)

    def __xor__(self, other):
        return auto('^', self, other)

    def __invert__(self):
        return auto('~', self)


class member:
    def __init__(self, value):
        self.value = value


class nonmember:
    def __init__(self, value):
        self.value = value


def _resolve(value):
    if not isinstance(value, auto) or value._op is None:
        return value.value if isinstance(value, auto) else value
    left = _resolve(value._left)
    if value._op == '~':
        return ~left
    right = _resolve(value._right)
    if value._op == '|':
        return left | right
    return left & right if value._op == '&' else left ^ right


def _is_member(cls, name, value):
    if isinstance(value, nonmember):
        return False
    if isinstance(value, member):
        return True
    if name.startswith('__') and name.endswith('__'):
        return False
    if name.startswith('_') and name.endswith('_') and len(name) > 2:
        return False
    if name.startswith('_' + cls + '__'):
        return False
    return not _is_descriptor(value)


class EnumType(type):
    def __new__(metacls, cls, bases, classdict, *, boundary=None, _simple=False, **kwds):
        ignored = classdict.get('_ignore_', ())
        if isinstance(ignored, str):
            ignored = ignored.replace(',', ' ').split()
        names = [k for k, v in classdict.items() if _is_member(cls, k, v) and k not in ignored]
        ns = {}
        for k, v in classdict.items():
            if k not in names and k not in ignored:
                ns[k] = v.value if isinstance(v, nonmember) else v
        enum_class = super().__new__(metacls, cls, bases, ns, **kwds)
        enum_class._member_names_ = []
        enum_class._member_map_ = {}
        enum_class._value2member_map_ = {}
        mro = enum_class.__mro__
        plain = mro[1:-1]
        member_type = _owner(plain, '__new__', EnumType, False) or _owner(plain, '__init__', EnumType, False) or object
        use_new = _owner(mro, '__new__', EnumType, True)
        if use_new is not None:
            use_new = use_new.__dict__['__new__']
            use_new = getattr(use_new, '__func__', use_new)
        enum_class._member_type_ = member_type
        if member_type is not object:
            plain = 'ReprEnum' in [c.__name__ for c in mro]
            for name in ('__repr__',) if plain else ('__repr__', '__str__', '__format__'):
                owner = _owner(mro, name)
                if owner is not None and not isinstance(owner, EnumType) and owner.__module__ == 'builtins':
                    setattr(enum_class, name, getattr(bases[-1], name))
            if issubclass(enum_class, Flag):
                for name in ('__or__', '__and__', '__xor__', '__ror__', '__rand__', '__rxor__', '__invert__', '__contains__', '__iter__', '__len__', '__bool__'):
                    if name not in classdict:
                        setattr(enum_class, name, getattr(Flag, name))
        if names:
            for base in bases:
                if isinstance(base, EnumType) and base._member_names_:
                    raise TypeError("<enum '%s'> cannot extend <enum '%s'>" % (cls, base.__name__))
        values = []
        for name in names:
            value = classdict[name]
            if isinstance(value, member):
                value = value.value
            if isinstance(value, auto):
                if value._op is None:
                    if value.value is None:
                        value.value = enum_class._generate_next_value_(name, 1, len(enum_class._member_names_), values[:])
                value = _resolve(value)
            elif isinstance(value, tuple):
                value = tuple([_resolve(v) for v in value]) if any([isinstance(v, auto) for v in value]) else value
            values.append(_add_member(enum_class, name, value, member_type, use_new))
        return enum_class

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None:
            return _lookup(cls, value)
        bases = (cls,) if type is None else (type, cls)
        if isinstance(names, str):
            names = names.replace(',', ' ').split()
        ns = {}
        if hasattr(names, 'items'):
            ns.update(names)
        else:
            last = []
            for item in names:
                if isinstance(item, str):
                    v = cls._generate_next_value_(item, start, len(last), last[:])
                    ns[item] = v
                    last.append(v)
                else:
                    ns[item[0]] = item[1]
                    last.append(item[1])
        ns.setdefault('__module__', module or _shapecheck.calling_module())
        return cls.__class__(value, bases, ns)

    def __iter__(cls):
        return iter([cls._member_map_[n] for n in cls._member_names_])

    def __reversed__(cls):
        return reversed([cls._member_map_[n] for n in cls._member_names_])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        return any([m._value_ == value for m in cls._member_map_.values()])

    def __getitem__(cls, name):
        return cls._member_map_[name]

    @_builtin_property
    def __members__(cls):
        return dict(cls._member_map_)

    def __repr__(cls):
        return "<enum '%s'>" % cls.__name__


EnumMeta = EnumType


def _add_member(cls, name, value, member_type, use_new):
    args = value if isinstance(value, tuple) and member_type is not tuple else (value,)
    if use_new is not None:
        m = use_new(cls, *args)
    elif member_type is object or member_type.__module__ != 'builtins' and _owner((member_type,), '__new__') is None:
        m = object.__new__(cls)
    else:
        m = member_type.__new__(cls, *args)
    if not hasattr(m, '_value_'):
        if member_type is object or use_new is not None:
            m._value_ = value
        else:
            try:
                m._value_ = member_type(*args)
            except Exception:
                m._value_ = value
    value = m._value_
    for other in cls._member_map_.values():
        if other._value_ is value or other._value_ == value and type(other._value_) is type(value):
            cls._member_map_[name] = other
            setattr(cls, name, other)
            return value
    m._name_ = name
    m._sort_order_ = len(cls._member_names_)
    m.__objclass__ = cls
    if _owner(cls.__mro__[:-1], '__init__') is not None:
        m.__init__(*args)
    composite = issubclass(cls, Flag) and isinstance(value, int) and (value == 0 or value & (value - 1) != 0)
    if not composite:
        cls._member_names_.append(name)
    cls._member_map_[name] = m
    setattr(cls, name, m)
    try:
        cls._value2member_map_.setdefault(value, m)
    except TypeError:
        pass
    return value


def _lookup(cls, value):
    if type(value) is cls:
        return value
    try:
        return cls._value2member_map_[value]
    except KeyError:
        pass
    except TypeError:
        pass
    for m in cls._member_map_.values():
        if m._value_ == value:
            return m
    result = cls._missing_(value)
    if isinstance(result, cls):
        return result
    if result is None:
        raise ValueError('%r is not a valid %s' % (value, cls.__qualname__))
    raise TypeError('error in %s._missing_: returned %r instead of None or a valid member' % (cls.__name__, result))


class Flag:
    """Stands in until the real class exists."""


class Enum(metaclass=EnumType):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        for value in reversed(last_values):
            try:
                return value + 1
            except TypeError:
                pass
        return start

    @classmethod
    def _missing_(cls, value):
        return None

    @_builtin_property
    def name(self):
        return self._name_

    @_builtin_property
    def value(self):
        return self._value_

    def __repr__(self):
        return '<%s.%s: %r>' % (self.__class__.__name__, self._name_, self._value_)

    def __str__(self):
        return '%s.%s' % (self.__class__.__name__, self._name_)

    def __format__(self, format_spec):
        return str(self).__format__(format_spec)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return self._value_.__format__(format_spec)


class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

    def __format__(self, format_spec):
        return self._value_.__format__(format_spec)


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        high = 0
        for v in last_values:
            if v > high:
                high = v
        return 1 if high == 0 else 1 << high.bit_length()

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        every = 0
        for m in cls._member_map_.values():
            every |= m._value_
        if value < 0:
            value = every & value
        if value in cls._value2member_map_:
            return cls._value2member_map_[value]
        if value & ~every and not issubclass(cls, int):
            return None
        parts = [m._name_ for m in cls if m._value_ & value]
        if parts and value & ~every:
            parts.append(str(value & ~every))
        pseudo = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        pseudo._name_ = '|'.join(parts) or None
        pseudo._value_ = value
        cls._value2member_map_[value] = pseudo
        return pseudo

    def _other(self, other):
        if isinstance(other, self.__class__):
            return other._value_
        if issubclass(self.__class__, int) and isinstance(other, int):
            return other
        return None

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in self.__class__ if m._value_ & self._value_])

    def __len__(self):
        return self._value_.bit_count()

    def __bool__(self):
        return self._value_ != 0

    def __or__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else self.__class__(self._value_ | v)

    def __and__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else self.__class__(self._value_ & v)

    def __xor__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else self.__class__(self._value_ ^ v)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __invert__(self):
        every = 0
        for m in self.__class__:
            every |= m._value_
        return self.__class__(every & ~self._value_)

    def __str__(self):
        return '%s.%s' % (self.__class__.__name__, self._name_ if self._name_ is not None else self._value_)

    def __repr__(self):
        if self._name_ is None:
            return '<%s: %r>' % (self.__class__.__name__, self._value_)
        return '<%s.%s: %r>' % (self.__class__.__name__, self._name_, self._value_)


class IntFlag(int, ReprEnum, Flag):
    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return self._value_.__format__(format_spec)


class FlagBoundary(StrEnum):
    STRICT = auto()
    CONFORM = auto()
    EJECT = auto()
    KEEP = auto()


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


class EnumCheck(StrEnum):
    CONTINUOUS = 'no skipped integer values'
    NAMED_FLAGS = 'multi-flag aliases may not contain unnamed flags'
    UNIQUE = 'one name per value'


CONTINUOUS, NAMED_FLAGS, UNIQUE = EnumCheck


def unique(enumeration):
    duplicates = [(name, m.name) for name, m in enumeration.__members__.items() if name != m.name]
    if duplicates:
        details = ', '.join(['%s -> %s' % pair for pair in duplicates])
        raise ValueError('duplicate values found in %r: %s' % (enumeration, details))
    return enumeration


class verify:
    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        return unique(enumeration) if UNIQUE in self.checks else enumeration


def global_enum(cls, update_str=False):
    return cls


property = _builtin_property
