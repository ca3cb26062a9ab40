# This file holds fixtures: their definitions, which of them a test sees, and how they are made for it.
import inspect

import _shapecheck
from pytest._marks import NOTSET, MarkDecorator
from pytest._outcomes import Failed, fail

SCOPES = ('function', 'class', 'module', 'package', 'session')


class FixtureFunctionMarker:
    def __init__(self, scope, params, autouse, ids, name):
        self.scope = scope
        self.params = None if params is None else list(params)
        self.autouse = autouse
        self.ids = ids
        self.name = name


class FixtureFunctionDefinition:
    """What the decorator makes of a function."""
    __test__ = False

    def __init__(self, function, marker, instance=None):
        self._fixture_function = function
        self._fixture_function_marker = marker
        self._instance = instance
        self.__name__ = getattr(function, '__name__', 'fixture')
        self.__doc__ = getattr(function, '__doc__', None)
        self.__module__ = getattr(function, '__module__', None)
        self.__wrapped__ = function

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return FixtureFunctionDefinition(self._fixture_function, self._fixture_function_marker, instance)

    def __call__(self, *args, **kwargs):
        fail('Fixture "%s" called directly. Fixtures are not meant to be called directly' % self.__name__)

    def _get_wrapped_function(self):
        return self._fixture_function

    def _bound(self):
        f = self._fixture_function
        if self._instance is None:
            return f
        if isinstance(f, (staticmethod, classmethod)):
            return f.__get__(self._instance, type(self._instance))
        return f.__get__(self._instance, type(self._instance)) if hasattr(f, '__get__') else f


def fixture(fixture_function=None, *, scope='function', params=None, autouse=False, ids=None, name=None):
    marker = FixtureFunctionMarker(scope, params, autouse, ids, name)

    def decorate(function):
        return FixtureFunctionDefinition(function, marker)

    if fixture_function is not None:
        return decorate(fixture_function)
    return decorate


yield_fixture = fixture


def signature_names(function, method):
    """The names of the arguments that a function lacks."""
    real = function
    patched = _patched_arguments(function)
    while hasattr(real, '__wrapped__'):
        real = real.__wrapped__
    names = []
    for p in inspect.signature(real).parameters.values():
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is p.empty:
            names.append(p.name)
    if method and names and not inspect.ismethod(real):
        names = names[1:]
    return names[patched:]


def _patched_arguments(function):
    patchings = getattr(function, 'patchings', None)
    if not isinstance(patchings, list):
        return 0
    from unittest import mock
    return len([p for p in patchings if not p.attribute_name and p.new is mock.DEFAULT])


class FixtureDef:
    def __init__(self, name, func, base, scope, params, ids, autouse, method=False):
        self.argname = name
        self.func = func
        self.baseid = base
        self.scope = scope
        self.params = params
        self.ids = ids
        self.autouse = autouse
        self.argnames = signature_names(func, method)
        self.method = method


class FixtureManager:
    def __init__(self, session):
        self.session = session
        self.defs = {}
        self.autouse = {}

    def register(self, name, func, base, scope='function', params=None, ids=None, autouse=False, method=False):
        if callable(scope):
            scope = scope(fixture_name=name, config=self.session.config)
        d = FixtureDef(name, func, base, scope, params, ids, autouse, method)
        self.defs.setdefault(name, []).append(d)
        if autouse:
            self.autouse.setdefault(base, []).append(name)

    def parse(self, holder, base, is_class=False):
        """Registers the fixtures among the attributes of a module or a class."""
        if is_class:
            found = [(n, inspect.getattr_static(holder, n, None)) for n in dir(holder)]
        else:
            found = sorted(_shapecheck.attributes(holder), key=lambda x: x[0])
        for name, obj in found:
            if not _shapecheck.is_of(obj, FixtureFunctionDefinition):
                continue
            m = obj._fixture_function_marker
            f = obj._fixture_function
            static = isinstance(f, staticmethod)
            if static or isinstance(f, classmethod):
                f = f.__func__
            self.register(m.name or name, f, base, m.scope, m.params, m.ids, m.autouse, is_class and not static)

    def visible(self, name, chain):
        return [d for d in self.defs.get(name, []) if d.baseid in chain]

    def autouse_names(self, chain):
        out = []
        for base in chain:
            out.extend(self.autouse.get(base, []))
        return out

    def closure(self, initial, chain, ignored):
        """The names of all fixtures that a test needs, those of wide scopes first, and the definitions of each."""
        found = {}

        def defs_of(name):
            if name in ignored:
                return None
            if name not in found:
                d = self.visible(name, chain)
                if not d:
                    return None
                found[name] = d
            return found[name]

        order = []
        current = {}

        def visit(name):
            index = current.get(name)
            if index == -1:
                return
            if index is None:
                order.append(name)
                current[name] = -1
            defs = defs_of(name)
            if not defs:
                return
            index = current.get(name, -1)
            if -index > len(defs):
                return
            current[name] = index - 1
            for dep in defs[index].argnames:
                visit(dep)
            current[name] = index

        for name in initial:
            visit(name)
        order.sort(key=lambda n: SCOPES.index(found[n][-1].scope) if n in found else 0, reverse=True)
        return order, found


class FixtureLookupError(LookupError):
    pass


class FixtureRequest:
    """What a fixture or a test knows of the test that asks for it."""

    def __init__(self, item, run, fixturedef=None, scope='function'):
        self._item = item
        self._run = run
        self._fixturedef = fixturedef
        self.scope = scope
        self.fixturename = fixturedef.argname if fixturedef is not None else None
        self.fixturenames = item.fixturenames

    @property
    def node(self):
        if self.scope in ('module', 'package'):
            return self._item.module_node
        if self.scope == 'session':
            return self._item.session
        if self.scope == 'class' and self._item.class_node is not None:
            return self._item.class_node
        return self._item

    @property
    def config(self):
        return self._item.session.config

    @property
    def session(self):
        return self._item.session

    @property
    def function(self):
        return self._item.obj

    @property
    def cls(self):
        return self._item.cls

    @property
    def instance(self):
        return self._run.instance if self._item.cls is not None else None

    @property
    def module(self):
        return self._item.module_node.obj

    @property
    def path(self):
        return self._item.path

    fspath = path

    @property
    def keywords(self):
        return self.node.keywords

    @property
    def _pyfuncitem(self):
        return self._item

    def getfixturevalue(self, name):
        return self._run.value(name, self._fixturedef)

    def addfinalizer(self, finalizer):
        self._run.finalizers.append(finalizer)

    def applymarker(self, marker):
        self._item.add_marker(marker)

    def raiseerror(self, msg):
        raise FixtureLookupError(msg)

    def __repr__(self):
        return '<FixtureRequest for %r>' % (self._item,)


class FixtureRun:
    """The fixtures of one run of a test."""

    def __init__(self, item):
        self.item = item
        self.values = {}
        self.active = []
        self.finalizers = []
        self.instance = None

    def value(self, name, within=None):
        item = self.item
        if name == 'request':
            return FixtureRequest(item, self, within, within.scope if within is not None else 'function')
        if name in item.callspec.direct:
            return item.callspec.params[name]
        defs = item.session.fixtures.visible(name, item.chain)
        if not defs:
            if _shapecheck.module_is_there('pytest_mock') and name == 'mocker':
                pass
            raise FixtureLookupError("fixture '%s' not found" % name)
        index = -1
        for d in self.active:
            if d.argname == name:
                index -= 1
        if -index > len(defs):
            raise FixtureLookupError("recursive dependency involving fixture '%s' detected" % name)
        d = defs[index]
        if d in self.values:
            return self.values[d]
        request = FixtureRequest(item, self, d, d.scope)
        if name in item.callspec.params:
            request.param = item.callspec.params[name]
        self.active.append(d)
        kwargs = {}
        for n in d.argnames:
            kwargs[n] = request if n == 'request' else self.value(n, d)
        self.active.pop()
        f = d.func
        if d.method and not inspect.ismethod(f):
            f = f.__get__(self.instance, type(self.instance))
        if inspect.isgeneratorfunction(f):
            g = f(**kwargs)
            v = next(g)
            self.finalizers.append(lambda: next(g, None))
        else:
            v = f(**kwargs)
        self.values[d] = v
        return v

    def finish(self):
        while self.finalizers:
            self.finalizers.pop()()
