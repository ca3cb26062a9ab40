# The module six.
import functools
import operator

PY2 = False
PY3 = True
PY34 = True
string_types = (str,)
integer_types = (int,)
class_types = (type,)
text_type = str
binary_type = bytes
MAXSIZE = 9223372036854775807
get_unbound_function = lambda unbound: unbound
callable = callable
next = next
wraps = functools.wraps


def add_metaclass(metaclass):
    def wrapper(cls):
        body = {k: v for k, v in cls.__dict__.items() if k not in ('__dict__', '__weakref__')}
        return metaclass(cls.__name__, cls.__bases__, body)
    return wrapper


def with_metaclass(meta, *bases):
    return meta('temporary_class', bases, {})


def iteritems(d, **kw):
    return iter(d.items(**kw))


def iterkeys(d, **kw):
    return iter(d.keys(**kw))


def itervalues(d, **kw):
    return iter(d.values(**kw))


def viewitems(d):
    return d.items()


def viewkeys(d):
    return d.keys()


def viewvalues(d):
    return d.values()


def u(s):
    return s


def b(s):
    return s.encode('latin-1')


def ensure_str(s, encoding='utf-8', errors='strict'):
    return s if isinstance(s, str) else s.decode(encoding, errors)


ensure_text = ensure_str


def raise_from(value, from_value):
    raise value from from_value


def reraise(tp, value, tb=None):
    raise value


def python_2_unicode_compatible(cls):
    return cls


def print_(*args, **kwargs):
    pass
