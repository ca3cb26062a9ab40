# This file holds marks and the sets of values that pytest.param makes.
import inspect

import _shapecheck
from pytest._outcomes import fail


class _Hidden:
    pass


HIDDEN_PARAM = _Hidden()


class Mark:
    def __init__(self, name, args, kwargs, param_ids_from=None):
        self.name = name
        self.args = args
        self.kwargs = kwargs

    def combined_with(self, other):
        kwargs = dict(self.kwargs)
        kwargs.update(other.kwargs)
        return Mark(self.name, tuple(self.args) + tuple(other.args), kwargs)

    def __repr__(self):
        return 'Mark(name=%r, args=%r, kwargs=%r)' % (self.name, self.args, self.kwargs)


class MarkDecorator:
    def __init__(self, mark):
        self.mark = mark

    @property
    def name(self):
        return self.mark.name

    @property
    def args(self):
        return self.mark.args

    @property
    def kwargs(self):
        return self.mark.kwargs

    @property
    def markname(self):
        return self.mark.name

    def with_args(self, *args, **kwargs):
        return MarkDecorator(self.mark.combined_with(Mark(self.mark.name, args, kwargs)))

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs:
            func = args[0]
            if inspect.isclass(func) or callable(func) and getattr(func, '__name__', '<lambda>') != '<lambda>':
                store_mark(func, self.mark)
                return func
        return self.with_args(*args, **kwargs)


def normalize(marks):
    out = []
    for m in marks:
        out.append(getattr(m, 'mark', m))
    return out


def _as_list(marks):
    return list(marks) if isinstance(marks, (list, tuple)) else [marks]


def own(holder, name):
    """The attribute that an object itself has; None: it has none, or its type has it."""
    for n, v in _shapecheck.attributes(holder):
        if n == name:
            return v
    return None


def own_marks(obj, mro=True):
    marks = []
    if isinstance(obj, type):
        if mro:
            for c in reversed(obj.__mro__):
                marks.extend(_as_list(own(c, 'pytestmark') or []))
        else:
            marks = _as_list(own(obj, 'pytestmark') or [])
    else:
        marks = _as_list(own(obj, 'pytestmark') or [])
    return normalize(marks)


def store_mark(obj, mark):
    obj.pytestmark = own_marks(obj, mro=False) + [mark]


class MarkGenerator:
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError('Marker name must NOT start with underscore')
        return MarkDecorator(Mark(name, (), {}))


mark = MarkGenerator()


class ParameterSet:
    def __init__(self, values, marks, id):
        self.values = values
        self.marks = marks
        self.id = id


def param(*values, marks=(), id=None):
    if not isinstance(marks, (list, tuple, set)):
        marks = (marks,)
    return ParameterSet(values, normalize(marks), id)


def split_argnames(argnames):
    if isinstance(argnames, str):
        names = [x.strip() for x in argnames.split(',') if x.strip()]
        return names, len(names) == 1
    return list(argnames), False


def parameter_sets(argnames, argvalues, function_name):
    names, single = split_argnames(argnames)
    out = []
    for x in argvalues:
        if isinstance(x, ParameterSet):
            s = x
        elif single:
            s = ParameterSet((x,), [], None)
        else:
            s = ParameterSet(tuple(x), [], None)
        if len(s.values) != len(names):
            fail('%s: in "parametrize" the number of names (%d): %s must be equal to the number of values (%d): %s' % (
                function_name, len(names), names, len(s.values), s.values))
        out.append(s)
    if not out:
        skipped = Mark('skip', (), {'reason': 'got empty parameter set for (%s)' % ', '.join(names)})
        out.append(ParameterSet(tuple(NOTSET for _ in names), [skipped], None))
    return names, out


class _NotSet:
    def __repr__(self):
        return '<NOTSET>'


NOTSET = _NotSet()


def _escaped(text):
    if text.isascii() and text.isprintable():
        return text
    out = ''
    for c in text:
        n = ord(c)
        if c == '\n':
            out += '\\n'
        elif c == '\t':
            out += '\\t'
        elif c == '\r':
            out += '\\r'
        elif n < 32 or n == 127:
            out += '\\x%02x' % n
        elif n < 127:
            out += c
        elif n < 256:
            out += '\\x%02x' % n
        elif n < 65536:
            out += '\\u%04x' % n
        else:
            out += '\\U%08x' % n
    return out


def _escaped_bytes(data):
    out = ''
    for n in data:
        out += chr(n) if 32 <= n < 127 and n != 92 else '\\\\' if n == 92 else '\\x%02x' % n
    return out


def id_of_value(val):
    """The part of an id that a value gives; None: the name of the argument does."""
    if isinstance(val, str):
        return _escaped(val)
    if isinstance(val, bytes):
        return _escaped_bytes(val)
    if val is None or isinstance(val, (bool, int, float, complex)):
        return str(val)
    if type(val).__name__ == 'Pattern' and isinstance(getattr(val, 'pattern', None), str):
        return _escaped(val.pattern)
    if val is NOTSET:
        return 'NOTSET'
    import enum
    if isinstance(val, enum.Enum):
        return str(val)
    if isinstance(getattr(val, '__name__', None), str):
        return _escaped(val.__name__)
    return None


class IdMaker:
    def __init__(self, names, sets, ids, hook):
        self.names = names
        self.sets = sets
        self.idfn = ids if callable(ids) else None
        self.ids = None if ids is None or callable(ids) else ids
        self.hook = hook

    def value_id(self, val, name, i):
        if self.idfn is not None:
            x = self.idfn(val)
            if x is not None:
                s = id_of_value(x)
                return s if s is not None else name + str(i)
        if self.hook is not None:
            x = self.hook(val, name)
            if x is not None:
                return x
        if isinstance(val, (str, bytes)) and len(val) > 100:
            return name + str(i)
        s = id_of_value(val)
        return s if s is not None else name + str(i)

    def resolved(self):
        ids = None
        if self.ids is not None:
            try:
                ids = list(self.ids) if hasattr(self.ids, '__len__') else None
            except TypeError:
                ids = None
            if ids is None:
                it = iter(self.ids)
                ids = [next(it) for _ in self.sets]
            if len(ids) != len(self.sets) and len(ids) != 0:
                fail('%d parameter sets specified, with different number of ids: %d' % (len(self.sets), len(ids)))
        for i in range(len(self.sets)):
            s = self.sets[i]
            if s.id is not None:
                yield s.id if s.id is HIDDEN_PARAM else _escaped(s.id)
            elif ids and i < len(ids) and ids[i] is not None:
                yield ids[i] if ids[i] is HIDDEN_PARAM else id_of_value(ids[i])
            else:
                yield '-'.join([self.value_id(v, n, i) for v, n in zip(s.values, self.names)])

    def unique(self):
        ids = list(self.resolved())
        counts = {}
        for x in ids:
            counts[x] = counts.get(x, 0) + 1
        if len(counts) == len(ids):
            return ids
        suffixes = {}
        for i in range(len(ids)):
            x = ids[i]
            if counts[x] < 2:
                continue
            between = '_' if x and x[-1].isdigit() else ''
            n = suffixes.get(x, 0)
            while x + between + str(n) in ids:
                n += 1
            ids[i] = x + between + str(n)
            suffixes[x] = n + 1
        return ids
