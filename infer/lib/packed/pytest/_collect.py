# This file is the driver of a suite: it collects the tests of modules, and runs one in three steps. What calls it is written in Go, and
# gets lists of plain values.
import enum
import inspect
import types

import _shapecheck
from pytest import _builtin
from pytest._config import Config, Parser
from pytest._fixtures import FixtureFunctionDefinition, FixtureManager, FixtureRequest, FixtureRun, signature_names, SCOPES
from pytest._marks import own, IdMaker, Mark, MarkDecorator, normalize, own_marks, parameter_sets, split_argnames, HIDDEN_PARAM
from pytest._outcomes import Failed, Skipped, XFailed, fail


class Node:
    def __init__(self, name, nodeid, parent, session):
        self.name = name
        self.nodeid = nodeid
        self.parent = parent
        self.session = session
        self.own_markers = []
        self.extra_keyword_matches = set()
        self.stash = {}
        self.user_properties = []

    @property
    def config(self):
        return self.session.config

    @property
    def ihook(self):
        return _shapecheck.unknown('the hooks of plug-ins')

    @property
    def keywords(self):
        out = {}
        for n in self.listchain():
            out[n.name] = True
            for m in n.own_markers:
                out[m.name] = m
            for k in n.extra_keyword_matches:
                out[k] = True
        return out

    def listchain(self):
        out, n = [], self
        while n is not None:
            out.append(n)
            n = n.parent
        out.reverse()
        return out

    def iter_markers(self, name=None):
        for node, m in self.iter_markers_with_node(name):
            yield m

    def iter_markers_with_node(self, name=None):
        for n in reversed(self.listchain()):
            for m in n.own_markers:
                if name is None or m.name == name:
                    yield n, m

    def get_closest_marker(self, name, default=None):
        for m in self.iter_markers(name):
            return m
        return default

    def add_marker(self, marker, append=True):
        if isinstance(marker, str):
            marker = Mark(marker, (), {})
        marker = getattr(marker, 'mark', marker)
        if append:
            self.own_markers.append(marker)
        else:
            self.own_markers.insert(0, marker)

    def getparent(self, cls):
        n = self
        while n is not None and not isinstance(n, cls):
            n = n.parent
        return n

    def listextrakeywords(self):
        out = set()
        for n in self.listchain():
            out.update(n.extra_keyword_matches)
        return out

    def listnames(self):
        return [n.name for n in self.listchain()]

    def addfinalizer(self, fin):
        pass

    def warn(self, warning):
        pass

    def __repr__(self):
        return '<%s %s>' % (type(self).__name__, self.name)


class Session(Node):
    def __init__(self, config):
        Node.__init__(self, '', '', None, self)
        self.session = self
        self.configuration = config
        self.fixtures = FixtureManager(self)
        self._fixturemanager = self.fixtures
        self.items = []
        self.found = []
        self.unknown = []
        self.plugins = []
        self.testsfailed = 0
        self.path = config.rootpath

    @property
    def config(self):
        return self.configuration


class Module(Node):
    pass


class Class(Node):
    pass


class CallSpec:
    def __init__(self):
        self.params = {}
        self.indices = {}
        self.direct = set()
        self.scopes = {}
        self.marks = []
        self.ids = []

    def extended(self, names, values, id, marks, index, direct, scope):
        c = CallSpec()
        c.params.update(self.params)
        c.indices.update(self.indices)
        c.direct.update(self.direct)
        c.scopes.update(self.scopes)
        for n, v in zip(names, values):
            if n in c.params:
                fail('duplicate parametrization of %r' % n)
            c.params[n] = v
            c.indices[n] = index
            c.scopes[n] = scope
            if direct[n]:
                c.direct.add(n)
        c.marks = self.marks + list(marks)
        c.ids = self.ids + ([id] if id is not HIDDEN_PARAM else [])
        return c

    @property
    def id(self):
        return '-'.join(self.ids)


class Function(Node):
    """A test."""

    def __init__(self, name, nodeid, parent, session, originalname, callspec, obj, cls, fixturenames, closure, argnames, unittest):
        Node.__init__(self, name, nodeid, parent, session)
        self.originalname = originalname
        self.callspec = callspec
        self.obj = obj
        self.function = obj
        self.cls = cls
        self.fixturenames = fixturenames
        self.closure = closure
        self.argnames = argnames
        self.unittest = unittest
        self.own_markers = own_marks(obj) + callspec.marks
        self.funcargs = {}

    @property
    def module_node(self):
        return self.getparent(Module)

    @property
    def class_node(self):
        return self.getparent(Class)

    @property
    def module(self):
        return self.module_node.obj

    @property
    def path(self):
        return self.module_node.path

    @property
    def fspath(self):
        return self.module_node.path

    @property
    def chain(self):
        return chain_of(self.parent)

    @property
    def location(self):
        return (self.nodeid.split('::')[0], 0, self.name)

    @property
    def instance(self):
        return run.instance if run is not None else None


Item = Function


def chain_of(node):
    """The places of fixtures that a node sees, the widest first."""
    module = node.getparent(Module)
    out = list(module.folders)
    for n in node.listchain():
        if isinstance(n, (Module, Class)):
            out.append(n.nodeid)
    return out


session = None
run = None



def set_environment(name, value):
    import os
    os.environ[name] = value


def begin(rootdir, options, values):
    """Makes the session. options and values are the names and texts of options that the command line and the configuration give."""
    global session
    config = Config(rootdir)
    for k, v in zip(options, values):
        config.ini[k] = v
    session = Session(config)
    config.session = session
    session.fixtures.parse(_builtin, '')
    if _shapecheck.module_is_there('pytest_mock'):
        session.fixtures.register('mocker', _builtin._mocker, '')
    return None


def set_option(name, value):
    session.config.values[name] = value


def set_ini(name, values):
    session.config.ini[name] = list(values)


def add_conftest(module, base):
    """Takes the fixtures and hooks of a conftest.py; base is its folder below the root."""
    session.plugins.append((module, base))
    add_option = own(module, 'pytest_addoption')
    if add_option is not None:
        _call_hook(add_option, parser=Parser(session.config), pluginmanager=session.config.pluginmanager)
    configure = own(module, 'pytest_configure')
    if configure is not None:
        _call_hook(configure, config=session.config)
    start = own(module, 'pytest_sessionstart')
    if start is not None:
        _call_hook(start, session=session)
    session.fixtures.parse(module, base)
    ignored = []
    for k in ('collect_ignore', 'collect_ignore_glob'):
        v = own(module, k)
        ignored.append([str(x) for x in v] if isinstance(v, (list, tuple)) else [])
    plugins = own(module, 'pytest_plugins') or []
    ignored.append([plugins] if isinstance(plugins, str) else list(plugins))
    return ignored


def _call_hook(hook, **given):
    names = signature_names(hook, False)
    return hook(**{n: given[n] for n in names if n in given})


def _hooks(name, base):
    """The hooks of conftest.py files in the folders around, the nearest first."""
    out = []
    for module, at in reversed(session.plugins):
        if at == '' or base == at or base.startswith(at + '/'):
            h = own(module, name)
            if h is not None:
                out.append(h)
    return out


def _is_test_name(name, patterns):
    for p in patterns:
        if name.startswith(p):
            return True
        if ('*' in p or '?' in p or '[' in p):
            import fnmatch
            if fnmatch.fnmatchcase(name, p):
                return True
    return False


def collect_module(module, nodeid, path, folders):
    """Collects the tests of a module and gives their descriptions."""
    session.found = []
    node = Module(nodeid.split('/')[-1], nodeid, session, session)
    node.obj = module
    node.folders = folders
    import pathlib
    node.path = pathlib.Path(path)
    node.fspath = node.path
    node.own_markers = own_marks(module)
    _module_fixtures(module, nodeid)
    if own(module, '__test__') in (None, True):
        session.fixtures.parse(module, nodeid)
        makers = _tests_in([module], node)
        if not _shapecheck.is_known(len(makers)):
            return 'which tests it has is not known'
        for name, make in makers:
            make()
            if not _shapecheck.is_known(len(session.found)):
                return 'which tests it has is not known from ' + name + ' on'
    found = session.found
    if not _shapecheck.is_known(len(found)):
        return 'which tests it has is not known'
    for i in found:
        if not _shapecheck.is_known(i.nodeid):
            return 'the id of a test is not known'
    session.items.extend(found)
    return len(found)


def describe(item):
    names = []
    for n in item.listchain():
        if isinstance(n, Session):
            continue
        names.append(n.name)
        names.extend(n.extra_keyword_matches)
    names.extend([n for n, v in _shapecheck.attributes(item.obj)])
    marks = []
    arguments = []
    for m in item.iter_markers():
        names.append(m.name)
        marks.append(m.name)
        arguments.append([[k, v] for k, v in m.kwargs.items() if isinstance(v, (str, int, bool)) or v is None])
    classes = [n.name for n in item.listchain() if isinstance(n, Class)]
    return [item.nodeid, _shapecheck.line_of(item.obj), names, marks, arguments, classes, item.name]


def _module_fixtures(module, nodeid):
    _setup_pair(own(module, 'setup_module') or own(module, 'setUpModule'),
                own(module, 'teardown_module') or own(module, 'tearDownModule'), nodeid, 'module', lambda request: request.module)
    before, after = own(module, 'setup_function'), own(module, 'teardown_function')
    if isinstance(before, types.FunctionType) or isinstance(after, types.FunctionType):
        def _xunit_setup_function(request):
            if request.instance is not None:
                yield
                return
            if before is not None:
                _call_optional(before, request.function)
            yield
            if after is not None:
                _call_optional(after, request.function)
        session.fixtures.register('_xunit_setup_function_fixture_' + nodeid, _xunit_setup_function, nodeid, 'function', autouse=True)


def _call_optional(f, arg):
    n = len(inspect.signature(f).parameters)
    if n:
        f(arg)
    else:
        f()


def _setup_pair(before, after, base, scope, argument):
    if before is None and after is None:
        return

    def _xunit_setup(request):
        if before is not None:
            _call_optional(before, argument(request))
        yield
        if after is not None:
            _call_optional(after, argument(request))
    session.fixtures.register('_xunit_setup_%s_fixture_%s' % (scope, base), _xunit_setup, base, scope, autouse=True)


def _tests_in(dicts, node):
    """Gives functions that collect the tests of a module or a class, in the order of their definitions."""
    seen = set()
    groups = []
    for d in dicts:
        group = []
        for name, obj in _shapecheck.attributes(d):
            if name in seen:
                continue
            seen.add(name)
            if name.startswith('__') and name.endswith('__'):
                continue
            make = _make_item(name, obj, node)
            if make is not None:
                group.append((name, make))
        groups.append(group)
    return [m for g in reversed(groups) for m in g]


def _is_unittest(obj):
    import sys
    case = sys.modules.get('unittest')
    return case is not None and issubclass(obj, case.TestCase)


def _make_item(name, obj, node):
    config = session.config
    kind = _shapecheck.kind_of(obj)
    if kind == 'class':
        if _is_unittest(obj):
            return None if inspect.isabstract(obj) else lambda: _collect_unittest(name, obj, node)
        if not _is_test_name(name, config.getini('python_classes')) and not _asks_for_test(obj) or inspect.isabstract(obj):
            return None
        return lambda: _collect_class(name, obj, node)
    if kind == 'unknown':
        if _is_test_name(name, config.getini('python_functions')):
            session.unknown.append(node.nodeid + '::' + name)
        return None
    if _shapecheck.is_of(obj, FixtureFunctionDefinition) or not _is_test_name(name, config.getini('python_functions')) and not _asks_for_test(obj):
        return None
    if isinstance(obj, (staticmethod, classmethod)):
        obj = obj.__func__
        kind = _shapecheck.kind_of(obj)
    if kind != 'function':
        f = obj
        while hasattr(f, '__wrapped__'):
            f = f.__wrapped__
        if _shapecheck.kind_of(f) != 'function' or not callable(obj):
            return None
    if own(obj, '__test__') is False:
        return None
    return lambda: _collect_function(name, node)


def _asks_for_test(obj):
    return _shapecheck.kind_of(obj) != 'object' and own_or_inherited(obj, '__test__') is True


def own_or_inherited(obj, name):
    """An attribute of a function or a class; None: it has none."""
    for c in obj.__mro__ if _shapecheck.kind_of(obj) == 'class' else (obj,):
        v = own(c, name)
        if v is not None:
            return v
    return None


def _collect_class(name, cls, parent):
    if own_or_inherited(cls, '__test__') is False:
        return
    if cls.__init__ is not object.__init__ or cls.__new__ is not object.__new__:
        return
    node = Class(name, parent.nodeid + '::' + name, parent, session)
    node.obj = cls
    node.own_markers = own_marks(cls)
    base = node.nodeid
    _setup_class_fixture(cls, base)
    before, after = getattr(cls, 'setup_method', None), getattr(cls, 'teardown_method', None)
    if before is not None or after is not None:
        def _xunit_setup_method(request):
            if before is not None:
                _call_optional(getattr(request.instance, 'setup_method'), request.function)
            yield
            if after is not None:
                _call_optional(getattr(request.instance, 'teardown_method'), request.function)
        session.fixtures.register('_xunit_setup_method_fixture_' + base, _xunit_setup_method, base, 'function', autouse=True)
    session.fixtures.parse(cls, base, True)
    for n, make in _tests_in([c for c in cls.__mro__ if c is not object], node):
        make()


def _setup_class_fixture(cls, base):
    before, after = getattr(cls, 'setup_class', None), getattr(cls, 'teardown_class', None)
    if before is None and after is None:
        return

    def call(f, request):
        if inspect.ismethod(f):
            _call_optional(f, request.cls)
        else:
            f(request.cls)

    def _xunit_setup_class(request):
        if before is not None:
            call(before, request)
        yield
        if after is not None:
            call(after, request)
    session.fixtures.register('_xunit_setup_class_fixture_' + base, _xunit_setup_class, base, 'class', autouse=True)


def _collect_unittest(name, cls, parent):
    if own_or_inherited(cls, '__test__') is False:
        return
    node = Class(name, parent.nodeid + '::' + name, parent, session)
    node.obj = cls
    node.own_markers = own_marks(cls)
    base = node.nodeid
    if getattr(cls, '__unittest_skip__', False):
        def _unittest_skip():
            raise Skipped(getattr(cls, '__unittest_skip_why__', ''))
        session.fixtures.register('_unittest_skip_fixture_' + base, _unittest_skip, base, 'class', autouse=True)
    else:
        def _unittest_setup_class():
            cls.setUpClass()
            yield
            cls.tearDownClass()
            cls.doClassCleanups()
        session.fixtures.register('_unittest_setUpClass_fixture_' + base, _unittest_setup_class, base, 'class', autouse=True)
        _setup_class_fixture(cls, base)
    session.fixtures.parse(cls, base, True)
    names = [n for n in dir(cls) if n.startswith('test') and callable(getattr(cls, n, None))]
    found = False
    for n in sorted(names):
        f = getattr(cls, n)
        if _shapecheck.kind_of(f) == 'unknown':
            session.unknown.append(base + '::' + n)
            continue
        if _shapecheck.is_of(f, FixtureFunctionDefinition) or own(f, '__test__') is False:
            continue
        found = True
        _add_item(n, f, node, cls, True)
    if not found and own(cls, 'runTest') is not None:
        _add_item('runTest', cls.runTest, node, cls, True)


def _collect_function(name, node):
    if isinstance(node, Class):
        obj = getattr(node.obj, name)
        _add_item(name, getattr(obj, '__func__', obj), node, node.obj, False)
    else:
        _add_item(name, getattr(node.obj, name), node, None, False)


class Metafunc:
    def __init__(self, definition, argnames, fixturenames, defs, cls, module):
        self.definition = definition
        self.function = definition.obj
        self.fixturenames = fixturenames
        self.cls = cls
        self.module = module
        self.config = session.config
        self._arg2fixturedefs = defs
        self._calls = []

    def parametrize(self, argnames, argvalues, indirect=False, ids=None, scope=None, _param_mark=None):
        names, sets = parameter_sets(argnames, argvalues, self.function.__name__)
        for n in names:
            if n not in self.fixturenames:
                fail("In %s: function uses no argument '%s'" % (self.definition.nodeid, n))
        if isinstance(indirect, bool):
            direct = {n: not indirect for n in names}
        else:
            direct = {n: n not in indirect for n in names}
        if scope is None:
            used = [self._arg2fixturedefs[n][-1].scope for n in names if not direct[n] and n in self._arg2fixturedefs]
            scope = 'function'
            if used and not any(direct.values()):
                scope = min(used, key=SCOPES.index)
        hook = None
        hooks = _hooks('pytest_make_parametrize_id', '/'.join(self.definition.nodeid.split('/')[:-1]))
        if hooks:
            def hook(val, name):
                for h in hooks:
                    x = _call_hook(h, config=session.config, val=val, argname=name)
                    if x is not None:
                        return x
                return None
        ids = IdMaker(names, sets, ids, hook).unique()
        calls = []
        for c in self._calls or [CallSpec()]:
            for i in range(len(sets)):
                calls.append(c.extended(names, sets[i].values, ids[i], sets[i].marks, i, direct, scope))
        self._calls = calls


def _mark_argnames(m):
    if m.args:
        return split_argnames(m.args[0])[0]
    return split_argnames(m.kwargs['argnames'])[0] if 'argnames' in m.kwargs else []


def _add_item(name, obj, node, cls, unittest):
    fixtures = session.fixtures
    chain = chain_of(node)
    definition = Function(name, node.nodeid + '::' + name, node, session, name, CallSpec(), obj, cls, [], {}, [], unittest)
    static = cls is not None and isinstance(inspect.getattr_static(cls, name, None), staticmethod)
    argnames = [] if unittest else signature_names(obj, cls is not None and not static)
    used = []
    for m in definition.iter_markers('usefixtures'):
        used.extend(m.args)
    marks = list(definition.iter_markers('parametrize'))
    ignored = set()
    for m in marks:
        if not m.kwargs.get('indirect', False):
            ignored.update(_mark_argnames(m))
        elif not isinstance(m.kwargs['indirect'], bool):
            ignored.update([n for n in _mark_argnames(m) if n not in m.kwargs['indirect']])
    initial = []
    for n in fixtures.autouse_names(chain) + used + argnames:
        if n not in initial:
            initial.append(n)
    closure, defs = fixtures.closure(initial, chain, ignored)
    definition.fixturenames = closure
    calls = [CallSpec()]
    if not unittest:
        meta = Metafunc(definition, argnames, closure, defs, cls, node.getparent(Module).obj)
        _generate(meta, node, marks)
        calls = meta._calls
        if meta._calls:
            direct = set()
            for c in meta._calls:
                direct.update(c.direct)
            # What a parametrization gives hides the fixtures of that name and those which only these need.
            closure = [n for n in fixtures.closure(initial, chain, direct)[0]]
        else:
            calls = [CallSpec()]
    for c in calls:
        full = name + '[' + c.id + ']' if c.ids or c.params else name
        if c.params and not c.ids:
            full = name
        item = Function(full, node.nodeid + '::' + full, node, session, name, c, obj, cls, closure, defs, argnames, unittest)
        session.found.append(item)


def _generate(meta, node, marks):
    module = node.getparent(Module)
    if meta.cls is not None and hasattr(meta.cls, 'pytest_generate_tests'):
        meta.cls().pytest_generate_tests(meta)
    generate = own(module.obj, 'pytest_generate_tests')
    if generate is not None:
        generate(meta)
    for name in meta.fixturenames:
        if any(name in _mark_argnames(m) for m in marks):
            continue
        for d in reversed(meta._arg2fixturedefs.get(name, [])):
            if d.params is not None:
                meta.parametrize(name, d.params, indirect=True, scope=d.scope, ids=d.ids)
                break
            if name not in d.argnames:
                break
    for h in _hooks('pytest_generate_tests', '/'.join(module.nodeid.split('/')[:-1])):
        h(meta)
    for m in marks:
        meta.parametrize(*m.args, **m.kwargs)


def modify_items():
    """Sorts the items by the parameters of wide scopes, and lets the hooks of conftest.py files change their list; gives their numbers."""
    items = list(session.items)
    for module, base in session.plugins:
        h = own(module, 'pytest_collection_modifyitems')
        if h is not None:
            _call_hook(h, session=session, config=session.config, items=items)
    for i in range(len(session.items)):
        session.items[i].number = i
    return [[i.number, describe(i)] for i in items]


# Below is the run of a test in three steps.

def _condition(m, item, condition):
    if isinstance(condition, str):
        import os
        import platform
        import sys
        names = {'os': os, 'sys': sys, 'platform': platform, 'config': session.config}
        names.update({n: v for n, v in _shapecheck.attributes(item.module)})
        return eval(condition, names)
    return condition


def _reason(m):
    return m.kwargs.get('reason', '')


def setup(number):
    """Prepares a test: marks that skip it, its object and its fixtures."""
    global run
    item = session.items[number]
    run = FixtureRun(item)
    item._run = run
    for m in item.iter_markers('skipif'):
        conditions = (m.kwargs['condition'],) if 'condition' in m.kwargs else m.args
        if not conditions:
            raise Skipped(_reason(m))
        for c in conditions:
            if _condition(m, item, c):
                raise Skipped(_reason(m) or (c if isinstance(c, str) else ''))
    for m in item.iter_markers('skip'):
        raise Skipped(m.kwargs.get('reason', m.args[0] if m.args else 'unconditional skip'))
    x = _xfail(item)
    if x is not None and not x[1]:
        raise XFailed('[NOTRUN] ' + x[0])
    for h in _hooks('pytest_runtest_setup', '/'.join(item.nodeid.split('/')[:-1])):
        _call_hook(h, item=item)
    if item.cls is not None:
        run.instance = item.cls(item.originalname) if item.unittest else item.cls()
    for n in item.fixturenames:
        if n not in item.callspec.direct:
            v = run.value(n)
            if n in item.argnames:
                item.funcargs[n] = v
    for n in item.argnames:
        item.funcargs[n] = run.value(n)
    return None


def _xfail(item):
    """What marks say of a failure: the reason, whether the test runs, the errors that are expected, and whether it must fail."""
    for m in item.iter_markers('xfail'):
        conditions = (m.kwargs['condition'],) if 'condition' in m.kwargs else m.args
        strict = m.kwargs.get('strict', session.config.getini('xfail_strict') or False)
        x = (str(_reason(m)), m.kwargs.get('run', True), m.kwargs.get('raises'), strict)
        if not conditions:
            return x
        for c in conditions:
            if _condition(m, item, c):
                return x
    return None


def expects_failure():
    x = _xfail(run.item)
    if own(run.item.obj, '__unittest_expecting_failure__') or run.item.cls is not None and own(run.item.cls, '__unittest_expecting_failure__'):
        return ['', True, []]
    if x is None:
        return None
    names = []
    if x[2] is not None:
        for c in x[2] if isinstance(x[2], tuple) else (x[2],):
            names.append(c.__name__)
    return [x[0], bool(x[3]), names]


def call(number):
    """Runs the body of a test."""
    item = run.item
    if item.unittest:
        run.instance._run_pytest(item.originalname)
        return None
    f = item.obj
    if item.cls is not None:
        f = getattr(run.instance, item.originalname)
    if inspect.iscoroutinefunction(f):
        plugin = item.get_closest_marker('asyncio') or item.get_closest_marker('anyio')
        if plugin is None:
            fail('async def functions are not natively supported.')
        import asyncio
        asyncio.run(f(**item.funcargs))
        return None
    f(**item.funcargs)
    return None


def teardown():
    """Ends the fixtures of a test, the last first."""
    run.finish()
    return None
