# The classes of t-strings, which string.templatelib shows to programs of Python 3.14.


class Interpolation:
    __module__ = 'string.templatelib'
    __slots__ = ('_value', '_expression', '_conversion', '_format_spec')
    __match_args__ = ('value', 'expression', 'conversion', 'format_spec')

    def __new__(cls, value, expression='', conversion=None, format_spec=''):
        if not isinstance(expression, str):
            raise TypeError(f"Interpolation() argument 'expression' must be str, not {type(expression).__name__}")
        if conversion is not None:
            if not isinstance(conversion, str):
                raise TypeError(f"Interpolation() argument 'conversion' must be str, not {type(conversion).__name__}")
            if conversion not in ('s', 'a', 'r'):
                raise ValueError("Interpolation() argument 'conversion' must be one of 's', 'a' or 'r'")
        if not isinstance(format_spec, str):
            raise TypeError(f"Interpolation() argument 'format_spec' must be str, not {type(format_spec).__name__}")
        return _interpolation(value, expression, conversion, format_spec)

    def __init_subclass__(cls):
        raise TypeError("type 'string.templatelib.Interpolation' is not an acceptable base type")

    def __class_getitem__(cls, item):
        return cls

    value = property(lambda self: self._value)
    expression = property(lambda self: self._expression)
    conversion = property(lambda self: self._conversion)
    format_spec = property(lambda self: self._format_spec)

    def __setattr__(self, name, value):
        _refuse(self, name)

    __delattr__ = lambda self, name: _refuse(self, name)

    def __repr__(self):
        return f'Interpolation({self._value!r}, {self._expression!r}, {self._conversion!r}, {self._format_spec!r})'


class Template:
    __module__ = 'string.templatelib'
    __slots__ = ('_strings', '_interpolations')

    def __new__(cls, *args, **kwargs):
        if kwargs:
            raise TypeError('Template.__new__ only accepts *args arguments')
        strings, interpolations = [''], []
        for arg in args:
            if isinstance(arg, str):
                strings[-1] += arg
            elif isinstance(arg, Interpolation):
                interpolations.append(arg)
                strings.append('')
            else:
                name = 'string.templatelib.Template' if isinstance(arg, Template) else type(arg).__name__
                raise TypeError(f"Template.__new__ *args need to be of type 'str' or 'Interpolation', got {name}")
        return _template(tuple(strings), tuple(interpolations))

    def __init_subclass__(cls):
        raise TypeError("type 'string.templatelib.Template' is not an acceptable base type")

    def __class_getitem__(cls, item):
        return cls

    strings = property(lambda self: self._strings)
    interpolations = property(lambda self: self._interpolations)

    @property
    def values(self):
        return tuple([i._value for i in self._interpolations])

    def __setattr__(self, name, value):
        _refuse(self, name)

    __delattr__ = lambda self, name: _refuse(self, name)

    def __iter__(self):
        parts = []
        for i, text in enumerate(self._strings):
            if text:
                parts.append(text)
            if i < len(self._interpolations):
                parts.append(self._interpolations[i])
        return iter(parts)

    def __add__(self, other):
        if not isinstance(other, Template):
            raise TypeError(f'can only concatenate string.templatelib.Template (not "{type(other).__name__}") to string.templatelib.Template')
        strings = self._strings[:-1] + (self._strings[-1] + other._strings[0],) + other._strings[1:]
        return _template(strings, self._interpolations + other._interpolations)

    def __repr__(self):
        return f'Template(strings={self._strings!r}, interpolations={self._interpolations!r})'


def _refuse(self, name):
    if name in ('strings', 'interpolations', 'values', 'value', 'expression', 'conversion', 'format_spec') and hasattr(type(self), name):
        raise AttributeError('readonly attribute')
    raise AttributeError(f"'string.templatelib.{type(self).__name__}' object has no attribute '{name}' and no __dict__ for setting new attributes")


def _interpolation(value, expression, conversion, format_spec):
    self = object.__new__(Interpolation)
    object.__setattr__(self, '_value', value)
    object.__setattr__(self, '_expression', expression)
    object.__setattr__(self, '_conversion', conversion)
    object.__setattr__(self, '_format_spec', format_spec)
    return self


def _template(strings, interpolations):
    self = object.__new__(Template)
    object.__setattr__(self, '_strings', strings)
    object.__setattr__(self, '_interpolations', interpolations)
    return self


def convert(obj, /, conversion):
    if conversion is None:
        return obj
    if conversion == 'r':
        return repr(obj)
    if conversion == 's':
        return str(obj)
    if conversion == 'a':
        return ascii(obj)
    raise ValueError(f'invalid conversion specifier: {conversion}')
