# This file stands for unittest.mock.
import _shapecheck


class _Sentinel:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return 'sentinel.' + self.name


class _Sentinels:
    def __init__(self):
        self._made = {}

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name not in self._made:
            self._made[name] = _Sentinel(name)
        return self._made[name]


sentinel = _Sentinels()
DEFAULT = sentinel.DEFAULT
_missing = sentinel.MISSING
FILTER_DIR = True


class _Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return '<ANY>'


ANY = _Any()


class InvalidSpecError(Exception):
    pass


class _Call(tuple):
    def __new__(cls, value=(), name='', two=False):
        args, kwargs = (), {}
        if len(value) == 3:
            name, args, kwargs = value
        elif len(value) == 2:
            if isinstance(value[0], str):
                name, rest = value
                if isinstance(rest, tuple):
                    args = rest
                else:
                    kwargs = rest
            else:
                args, kwargs = value
        elif len(value) == 1:
            if isinstance(value[0], str):
                name = value[0]
            elif isinstance(value[0], tuple):
                args = value[0]
            else:
                kwargs = value[0]
        if two:
            return tuple.__new__(cls, (args, kwargs))
        return tuple.__new__(cls, (name, args, kwargs))

    @property
    def args(self):
        return self[0] if len(self) == 2 else self[1]

    @property
    def kwargs(self):
        return self[1] if len(self) == 2 else self[2]

    def __eq__(self, other):
        if not isinstance(other, tuple):
            return False
        name, args, kwargs = ('', self[0], self[1]) if len(self) == 2 else (self[0], self[1], self[2])
        o = other if isinstance(other, _Call) else _Call(other)
        oname, oargs, okwargs = ('', o[0], o[1]) if len(o) == 2 else (o[0], o[1], o[2])
        if name and oname and name != oname:
            return False
        return (oargs, okwargs) == (args, kwargs)

    def __ne__(self, other):
        r = self == other
        return r if _shapecheck.is_lost(r) else not r

    def __repr__(self):
        return 'call(...)'


class _CallMaker:
    def __init__(self, name=''):
        self._name = name

    def __call__(self, *args, **kwargs):
        return _Call((self._name, args, kwargs))

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _CallMaker(self._name + '.' + name if self._name else name)


call = _CallMaker()


class _CallList(list):
    pass


_OWN = ('_mock_children', '_mock_name', '_mock_parent', '_mock_spec', '_mock_return', '_mock_effect', '_mock_wraps', '_mock_deleted', 'called',
        'call_count', 'call_args', 'call_args_list', 'mock_calls', 'method_calls', '_mock_instance_of', '_mock_sealed', '_mock_strict')


class Base:
    pass


class NonCallableMock(Base):
    def __init__(self, spec=None, wraps=None, name=None, spec_set=None, parent=None, side_effect=None, return_value=DEFAULT, unsafe=False, **kwargs):
        d = self.__dict__
        d['_mock_children'] = {}
        d['_mock_name'] = name
        d['_mock_parent'] = parent
        d['_mock_wraps'] = wraps
        d['_mock_return'] = return_value
        d['_mock_effect'] = None
        d['_mock_deleted'] = set()
        d['_mock_sealed'] = False
        self._mock_set_spec(spec_set if spec_set is not None else spec, spec_set is not None)
        self.reset_mock()
        if side_effect is not None:
            self.side_effect = side_effect
        for k in kwargs:
            self._configure(k, kwargs[k])

    def _mock_set_spec(self, spec, strict):
        d = self.__dict__
        d['_mock_instance_of'] = None
        d['_mock_strict'] = strict
        if spec is None:
            d['_mock_spec'] = None
        elif isinstance(spec, (list, tuple)):
            d['_mock_spec'] = list(spec)
        else:
            d['_mock_spec'] = dir(spec)
            d['_mock_instance_of'] = spec if isinstance(spec, type) else type(spec)

    def _configure(self, name, value):
        target = self
        parts = name.split('.')
        for p in parts[:-1]:
            target = getattr(target, p)
        setattr(target, parts[-1], value)

    def configure_mock(self, **kwargs):
        for k in kwargs:
            self._configure(k, kwargs[k])

    def mock_add_spec(self, spec, spec_set=False):
        self._mock_set_spec(spec, spec_set)

    def attach_mock(self, mock, attribute):
        mock.__dict__['_mock_parent'] = self
        mock.__dict__['_mock_name'] = attribute
        setattr(self, attribute, mock)

    def reset_mock(self, visited=None, *, return_value=False, side_effect=False):
        d = self.__dict__
        d['called'] = False
        d['call_count'] = 0
        d['call_args'] = None
        d['call_args_list'] = _CallList()
        d['mock_calls'] = _CallList()
        d['method_calls'] = _CallList()
        if return_value:
            d['_mock_return'] = DEFAULT
        if side_effect:
            d['_mock_effect'] = None
        for c in list(d['_mock_children'].values()):
            if isinstance(c, NonCallableMock):
                c.reset_mock()
        r = d['_mock_return']
        if isinstance(r, NonCallableMock) and r is not self:
            r.reset_mock()

    @property
    def __class__(self):
        c = self.__dict__.get('_mock_instance_of')
        return type(self) if c is None else c

    @property
    def return_value(self):
        d = self.__dict__
        if d['_mock_return'] is DEFAULT:
            d['_mock_return'] = self._get_child_mock(name='()', parent=self)
        return d['_mock_return']

    @return_value.setter
    def return_value(self, value):
        self.__dict__['_mock_return'] = value

    @property
    def side_effect(self):
        return self.__dict__['_mock_effect']

    @side_effect.setter
    def side_effect(self, value):
        if value is not None and not callable(value) and not isinstance(value, BaseException) and not isinstance(value, type):
            value = iter(value)
        self.__dict__['_mock_effect'] = value

    def _get_child_mock(self, **kwargs):
        kind = type(self)
        if not issubclass(kind, CallableMixin):
            kind = MagicMock if issubclass(kind, MagicMixin) else Mock
        elif kind is PropertyMock:
            kind = MagicMock
        return kind(**kwargs)

    def __getattr__(self, name):
        d = self.__dict__
        if name in ('_mock_methods', '_mock_children') or '_mock_children' not in d:
            raise AttributeError(name)
        if d['_mock_spec'] is not None and name not in d['_mock_spec']:
            raise AttributeError('Mock object has no attribute %r' % name)
        if name.startswith('__') and name.endswith('__'):
            raise AttributeError(name)
        if name in d['_mock_deleted']:
            raise AttributeError(name)
        if name.startswith(('assert', 'assret', 'asert', 'aseert', 'assrt')) and d['_mock_spec'] is None:
            raise AttributeError('%r is not a valid assertion.' % name)
        if name not in d['_mock_children']:
            if d['_mock_sealed']:
                raise AttributeError(name)
            wrapped = None
            if d['_mock_wraps'] is not None:
                wrapped = getattr(d['_mock_wraps'], name)
            d['_mock_children'][name] = self._get_child_mock(name=name, parent=self, wraps=wrapped)
        return d['_mock_children'][name]

    def __setattr__(self, name, value):
        d = self.__dict__
        if name in ('return_value', 'side_effect'):
            object.__setattr__(self, name, value)
            return
        if name in _OWN:
            d[name] = value
            return
        if d['_mock_strict'] and d['_mock_spec'] is not None and name not in d['_mock_spec']:
            raise AttributeError('Mock object has no attribute %r' % name)
        if name.startswith('__') and name.endswith('__'):
            d['_mock_magic_' + name] = value
            return
        d['_mock_deleted'].discard(name)
        if isinstance(value, NonCallableMock) and value.__dict__['_mock_name'] is None and value.__dict__['_mock_parent'] is None:
            value.__dict__['_mock_parent'] = self
            value.__dict__['_mock_name'] = name
        d['_mock_children'][name] = value

    def __delattr__(self, name):
        d = self.__dict__
        d['_mock_children'].pop(name, None)
        d['_mock_deleted'].add(name)

    def __dir__(self):
        d = self.__dict__
        return sorted(set(list(d['_mock_children']) + list(d['_mock_spec'] or [])))

    def __repr__(self):
        return '<%s id=%r>' % (type(self).__name__, 1)

    # The records of calls.

    def _record(self, args, kwargs):
        d = self.__dict__
        d['called'] = True
        d['call_count'] = d['call_count'] + 1
        c = _Call((args, kwargs), two=True)
        d['call_args'] = c
        d['call_args_list'].append(c)
        d['mock_calls'].append(_Call(('', args, kwargs)))
        name, parent, method = d['_mock_name'], d['_mock_parent'], True
        while parent is not None and name is not None:
            p = parent.__dict__
            full = _Call((name, args, kwargs))
            p['mock_calls'].append(full)
            method = method and '()' not in name
            if method:
                p['method_calls'].append(full)
            up = p['_mock_name']
            if p['_mock_parent'] is None or up is None:
                break
            name = up + ('' if name.startswith('()') else '.') + name
            parent = p['_mock_parent']

    def _check(self, kind, condition, text):
        if _shapecheck.verify(kind, condition) is False:
            raise AssertionError(text)

    def assert_not_called(self):
        self._check('assert_not_called', self.call_count == 0, 'Expected mock to not have been called.')

    def assert_called(self):
        self._check('assert_called', self.call_count > 0, 'Expected mock to have been called.')

    def assert_called_once(self):
        self._check('assert_called_once', self.call_count == 1, 'Expected mock to have been called once. Called %s times.' % self.call_count)

    def assert_called_with(self, *args, **kwargs):
        if self.call_args is None:
            self._check('assert_called_with', False, 'expected call not found: not called.')
        self._check('assert_called_with', self.call_args == _Call((args, kwargs), two=True), 'expected call not found.')

    def assert_called_once_with(self, *args, **kwargs):
        self._check('assert_called_once_with', self.call_count == 1, 'Expected mock to be called once. Called %s times.' % self.call_count)
        self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, *args, **kwargs):
        self._check('assert_any_call', _Call((args, kwargs), two=True) in list(self.call_args_list), 'call not found')

    def assert_has_calls(self, calls, any_order=False):
        made, calls = list(self.mock_calls), list(calls)
        found = True
        if any_order:
            found = all([c in made for c in calls])
        else:
            n = len(calls)
            found = any([made[i:i + n] == calls for i in range(len(made) - n + 1)]) if n else True
        self._check('assert_has_calls', found, 'Calls not found.')


class CallableMixin(Base):
    def __call__(self, *args, **kwargs):
        self._record(args, kwargs)
        d = self.__dict__
        effect = d['_mock_effect']
        if effect is not None:
            if isinstance(effect, BaseException) or isinstance(effect, type) and issubclass(effect, BaseException):
                raise effect
            if not callable(effect):
                result = next(effect)
                if isinstance(result, BaseException) or isinstance(result, type) and issubclass(result, BaseException):
                    raise result
                return self.return_value if result is DEFAULT else result
            result = effect(*args, **kwargs)
            if result is not DEFAULT:
                return result
        if d['_mock_return'] is not DEFAULT:
            return d['_mock_return']
        if d['_mock_wraps'] is not None:
            return d['_mock_wraps'](*args, **kwargs)
        return self.return_value


class Mock(CallableMixin, NonCallableMock):
    pass


class _Magic:
    """A special method of a mock: that of an object is a mock of its own, or the function that was set."""

    def __init__(self, name, default):
        self.name = name
        self.default = default

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        d = obj.__dict__
        f = d.get('_mock_magic_' + self.name)
        if f is not None:
            return f if isinstance(f, NonCallableMock) else _Bound(f, obj)
        if self.name not in d['_mock_children']:
            m = MagicMock(name=self.name, parent=obj)
            if self.default is not DEFAULT:
                m.__dict__['_mock_return'] = iter([]) if self.name == '__iter__' else self.default
            d['_mock_children'][self.name] = m
        return d['_mock_children'][self.name]


class _Bound:
    def __init__(self, function, obj):
        self.function = function
        self.obj = obj

    def __call__(self, *args, **kwargs):
        return self.function(self.obj, *args, **kwargs)


class MagicMixin(Base):
    pass


for _name, _default in (('__len__', 0), ('__iter__', ()), ('__bool__', True), ('__int__', 1), ('__float__', 1.0), ('__index__', 1),
                        ('__contains__', False), ('__enter__', DEFAULT), ('__exit__', False), ('__getitem__', DEFAULT), ('__setitem__', DEFAULT),
                        ('__delitem__', DEFAULT), ('__add__', DEFAULT), ('__radd__', DEFAULT), ('__sub__', DEFAULT), ('__rsub__', DEFAULT),
                        ('__mul__', DEFAULT), ('__rmul__', DEFAULT), ('__truediv__', DEFAULT), ('__floordiv__', DEFAULT),
                        ('__matmul__', DEFAULT), ('__neg__', DEFAULT), ('__lt__', NotImplemented), ('__gt__', NotImplemented),
                        ('__le__', NotImplemented), ('__ge__', NotImplemented)):
    setattr(MagicMixin, _name, _Magic(_name, _default))


class MagicMock(MagicMixin, Mock):
    pass


class NonCallableMagicMock(MagicMixin, NonCallableMock):
    pass


class ThreadingMock(MagicMock):
    pass


class AsyncMock(MagicMock):
    async def __call__(self, *args, **kwargs):
        return CallableMixin.__call__(self, *args, **kwargs)

    def assert_awaited(self):
        self.assert_called()

    def assert_awaited_once(self):
        self.assert_called_once()

    def assert_awaited_with(self, *args, **kwargs):
        self.assert_called_with(*args, **kwargs)

    def assert_awaited_once_with(self, *args, **kwargs):
        self.assert_called_once_with(*args, **kwargs)


class PropertyMock(Mock):
    def __get__(self, obj, obj_type=None):
        return self()

    def __set__(self, obj, val):
        self(val)


def create_autospec(spec, spec_set=False, instance=False, _parent=None, _name=None, **kwargs):
    m = MagicMock(name=_name, spec=spec, **kwargs)
    if isinstance(spec, type) and not instance:
        m.__dict__['_mock_return'] = MagicMock(spec=spec, name='()', parent=m)
    return m


def seal(mock):
    mock.__dict__['_mock_sealed'] = True


def mock_open(mock=None, read_data=''):
    if mock is None:
        mock = MagicMock(name='open', spec=open)
    handle = MagicMock()
    handle.read.return_value = read_data
    handle.write.return_value = None
    lines = read_data.splitlines(True)
    handle.readline.side_effect = lines + ['']
    handle.readlines.return_value = lines
    handle.__enter__ = lambda self: self
    handle.__iter__ = lambda self: iter(lines)
    mock.return_value = handle
    return mock


def _import_target(path):
    import importlib
    parts = path.split('.')
    target = importlib.import_module(parts[0])
    for i in range(1, len(parts)):
        if not hasattr(target, parts[i]):
            importlib.import_module('.'.join(parts[:i + 1]))
        target = getattr(target, parts[i])
    return target


class _patch:
    def __init__(self, getter, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs):
        self.getter = getter
        self.attribute = attribute
        self.new = new
        self.new_callable = new_callable
        self.spec = spec
        self.create = create
        self.has_local = False
        self.spec_set = spec_set
        self.autospec = autospec
        self.kwargs = kwargs
        self.attribute_name = None
        self.additional_patchers = []

    def copy(self):
        p = _patch(self.getter, self.attribute, self.new, self.spec, self.create, self.spec_set, self.autospec, self.new_callable, self.kwargs)
        p.attribute_name = self.attribute_name
        p.additional_patchers = [x.copy() for x in self.additional_patchers]
        return p

    def __call__(self, func):
        if isinstance(func, type):
            for name in dir(func):
                if name.startswith(patch.TEST_PREFIX):
                    value = getattr(func, name)
                    if callable(value):
                        setattr(func, name, self.copy()(value))
            return func
        return _decorated(func, self)

    def __enter__(self):
        self.target = self.getter()
        name = self.attribute
        if name in self.target.__dict__:
            original, self.local = self.target.__dict__[name], True
        else:
            original, self.local = getattr(self.target, name, DEFAULT), False
        if original is DEFAULT and not self.create:
            builtin = __import__('builtins')
            if hasattr(builtin, name):
                original = getattr(builtin, name)
            else:
                raise AttributeError('%s does not have the attribute %r' % (self.target, name))
        self.original = original
        new = self.new
        if new is DEFAULT and self.autospec is None:
            kwargs = dict(self.kwargs)
            spec = self.spec
            if spec is True:
                spec = original
            if spec is not None:
                kwargs['spec'] = spec
            if self.spec_set is not None:
                kwargs['spec_set'] = original if self.spec_set is True else self.spec_set
            kind = self.new_callable if self.new_callable is not None else AsyncMock if _is_async(original) else MagicMock
            if self.new_callable is None or isinstance(kind, type) and issubclass(kind, NonCallableMock):
                kwargs['name'] = kwargs.get('name', name)
            new = kind(**kwargs)
        elif new is DEFAULT:
            new = create_autospec(original if self.autospec is True else self.autospec, _name=name, **self.kwargs)
        self.temp = new
        setattr(self.target, name, new)
        if self.attribute_name is not None:
            out = {}
            if self.new is DEFAULT:
                out[self.attribute_name] = new
            for p in self.additional_patchers:
                v = p.__enter__()
                if p.new is DEFAULT:
                    out.update(v)
            return out
        return new

    def __exit__(self, type, value, tb):
        for p in reversed(self.additional_patchers):
            p.__exit__(type, value, tb)
        if self.local:
            setattr(self.target, self.attribute, self.original)
        else:
            delattr(self.target, self.attribute)
            if self.original is not DEFAULT and not hasattr(self.target, self.attribute):
                setattr(self.target, self.attribute, self.original)
        return False

    def start(self):
        patch._active.append(self)
        return self.__enter__()

    def stop(self):
        if self in patch._active:
            patch._active.remove(self)
            self.__exit__(None, None, None)


def _is_async(f):
    import inspect
    return inspect.iscoroutinefunction(f)


def _decorated(func, patching):
    if isinstance(getattr(func, 'patchings', None), list):
        func.patchings.append(patching)
        return func
    import functools

    @functools.wraps(func)
    def patched(*args, **kwargs):
        entered = []
        extra = []
        for p in patched.patchings:
            v = p.__enter__()
            entered.append(p)
            if p.attribute_name is not None:
                kwargs.update(v)
            elif p.new is DEFAULT:
                extra.append(v)
        try:
            return func(*(tuple(args) + tuple(extra)), **kwargs)
        finally:
            for p in reversed(entered):
                p.__exit__(None, None, None)

    patched.patchings = [patching]
    return patched


class _Patch:
    TEST_PREFIX = 'test'
    _active = []

    def __call__(self, target, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *, unsafe=False, **kwargs):
        path, attribute = target.rsplit('.', 1)
        return _patch(lambda: _import_target(path), attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)

    def object(self, target, attribute, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, *, unsafe=False,
               **kwargs):
        return _patch(lambda: target, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)

    def multiple(self, target, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
        getter = (lambda: _import_target(target)) if isinstance(target, str) else lambda: target
        first = None
        for name in kwargs:
            p = _patch(getter, name, kwargs[name], spec, create, spec_set, autospec, new_callable, {})
            p.attribute_name = name
            if first is None:
                first = p
            else:
                first.additional_patchers.append(p)
        return first

    def dict(self, in_dict, values=(), clear=False, **kwargs):
        return _patch_dict(in_dict, values, clear, kwargs)

    def stopall(self):
        while self._active:
            self._active[-1].stop()


class _patch_dict:
    def __init__(self, in_dict, values, clear, kwargs):
        self.in_dict = in_dict
        self.values = dict(values)
        self.values.update(kwargs)
        self.clear = clear

    def copy(self):
        return _patch_dict(self.in_dict, self.values, self.clear, {})

    def __enter__(self):
        if isinstance(self.in_dict, str):
            self.in_dict = _import_target(self.in_dict)
        d = self.in_dict
        self.before = {k: d[k] for k in list(d.keys()) if self.clear or k in self.values}
        self.added = [k for k in self.values if k not in d]
        if self.clear:
            for k in list(d.keys()):
                del d[k]
        for k in self.values:
            d[k] = self.values[k]
        return d

    def __exit__(self, type, value, tb):
        for k in self.added:
            self.in_dict.pop(k, None)
        for k in self.before:
            self.in_dict[k] = self.before[k]
        return False

    start = __enter__

    def stop(self):
        self.__exit__(None, None, None)

    def __call__(self, func):
        if isinstance(func, type):
            for name in dir(func):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(func, name)):
                    setattr(func, name, self.copy()(getattr(func, name)))
            return func
        import functools

        @functools.wraps(func)
        def inner(*args, **kwargs):
            self.__enter__()
            try:
                return func(*args, **kwargs)
            finally:
                self.__exit__(None, None, None)
        return inner


patch = _Patch()
