# This file holds the fixtures that pytest has.
import _shapecheck
from pytest._fixtures import fixture
from pytest._raises import WarningsRecorder


class _Missing:
    pass


_MISSING = _Missing()


class MonkeyPatch:
    def __init__(self):
        self._undo = []

    @classmethod
    def context(cls):
        return _MonkeyPatchContext(cls())

    def setattr(self, target, name, value=_MISSING, raising=True):
        if value is _MISSING:
            value = name
            target, name = _resolve(target)
        old = getattr(target, name, _MISSING)
        if old is _MISSING and raising:
            raise AttributeError('%r has no attribute %r' % (target, name))
        if isinstance(target, type):
            old = target.__dict__.get(name, _MISSING)
        self._undo.append(('attribute', target, name, old))
        setattr(target, name, value)

    def delattr(self, target, name=_MISSING, raising=True):
        if name is _MISSING:
            target, name = _resolve(target)
        if not hasattr(target, name):
            if raising:
                raise AttributeError(name)
            return
        old = getattr(target, name)
        self._undo.append(('attribute', target, name, old))
        delattr(target, name)

    def setitem(self, dic, name, value):
        self._undo.append(('item', dic, name, dic.get(name, _MISSING)))
        dic[name] = value

    def delitem(self, dic, name, raising=True):
        if name not in dic:
            if raising:
                raise KeyError(name)
            return
        self._undo.append(('item', dic, name, dic.get(name, _MISSING)))
        del dic[name]

    def setenv(self, name, value, prepend=None):
        import os
        value = str(value)
        if prepend and name in os.environ:
            value = value + prepend + os.environ[name]
        self.setitem(os.environ, name, value)

    def delenv(self, name, raising=True):
        import os
        if _shapecheck.is_known(name in os.environ):
            self.delitem(os.environ, name, raising=raising)

    def syspath_prepend(self, path):
        import sys
        sys.path.insert(0, str(path))

    def chdir(self, path):
        pass

    def undo(self):
        while self._undo:
            kind, target, name, old = self._undo.pop()
            if kind == 'attribute':
                if old is _MISSING:
                    delattr(target, name)
                else:
                    setattr(target, name, old)
            elif old is _MISSING:
                target.pop(name, None)
            else:
                target[name] = old


class _MonkeyPatchContext:
    def __init__(self, patch):
        self.patch = patch

    def __enter__(self):
        return self.patch

    def __exit__(self, type, value, tb):
        self.patch.undo()
        return False


def _resolve(path):
    import importlib
    parts = path.split('.')
    target = importlib.import_module(parts[0])
    for i in range(1, len(parts) - 1):
        if not hasattr(target, parts[i]):
            importlib.import_module('.'.join(parts[:i + 1]))
        target = getattr(target, parts[i])
    return target, parts[-1]


@fixture
def monkeypatch():
    m = MonkeyPatch()
    yield m
    m.undo()


class TempPathFactory:
    def __init__(self):
        self.made = 0

    def getbasetemp(self):
        import pathlib
        return pathlib.Path('/tmp/pytest-of-user/pytest-0')

    def mktemp(self, basename, numbered=True):
        self.made += 1
        return self.getbasetemp() / (basename + str(self.made - 1) if numbered else basename)


@fixture(scope='session')
def tmp_path_factory():
    return TempPathFactory()


@fixture(scope='session')
def tmpdir_factory():
    return TempPathFactory()


@fixture
def tmp_path(request, tmp_path_factory):
    return tmp_path_factory.mktemp(''.join([c if c.isalnum() else '_' for c in request.node.name])[:30])


class LocalPath:
    """A path as py.path has it."""

    def __init__(self, path):
        self._path = path

    def join(self, *parts):
        p = self._path
        for x in parts:
            p = p / str(x)
        return LocalPath(p)

    def __truediv__(self, other):
        return self.join(other)

    def mkdir(self, *parts):
        return self.join(*parts)

    def ensure(self, *parts, **kwargs):
        return self.join(*parts)

    @property
    def strpath(self):
        return str(self._path)

    @property
    def dirname(self):
        return str(self._path.parent)

    @property
    def basename(self):
        return self._path.name

    def __str__(self):
        return str(self._path)

    def __fspath__(self):
        return str(self._path)

    def __repr__(self):
        return 'local(%r)' % str(self._path)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('what files of a test hold')


@fixture
def tmpdir(tmp_path):
    return LocalPath(tmp_path)


class CaptureResult:
    def __init__(self, out, err):
        self.out = out
        self.err = err

    def __iter__(self):
        return iter((self.out, self.err))

    def __getitem__(self, i):
        return (self.out, self.err)[i]

    def __len__(self):
        return 2

    def count(self, x):
        return _shapecheck.unknown('what a program prints')


class _Disabled:
    def __enter__(self):
        return None

    def __exit__(self, type, value, tb):
        return False


class CaptureFixture:
    def readouterr(self):
        return CaptureResult(_shapecheck.data_str(), _shapecheck.data_str())

    def disabled(self):
        return _Disabled()


@fixture
def capsys():
    return CaptureFixture()


@fixture
def capfd():
    return CaptureFixture()


@fixture
def capsysbinary():
    return CaptureFixture()


@fixture
def capfdbinary():
    return CaptureFixture()


@fixture
def capteesys():
    return CaptureFixture()


class LogCaptureFixture:
    @property
    def text(self):
        return _shapecheck.data_str()

    @property
    def records(self):
        return _shapecheck.open_list(_shapecheck.unknown('what a program logs'), _shapecheck.data_int('records', 0))

    @property
    def messages(self):
        return _shapecheck.open_list(_shapecheck.data_str(), _shapecheck.data_int('records', 0))

    record_tuples = records

    @property
    def handler(self):
        return _shapecheck.unknown('what a program logs')

    def get_records(self, when):
        return self.records

    def set_level(self, level, logger=None):
        pass

    def at_level(self, level, logger=None):
        return _Disabled()

    def filtering(self, filter_):
        return _Disabled()

    def clear(self):
        pass


@fixture
def caplog():
    return LogCaptureFixture()


@fixture
def recwarn():
    return WarningsRecorder()


@fixture(scope='session')
def pytestconfig(request):
    return request.config


@fixture
def record_property():
    return lambda name, value: None


@fixture
def record_xml_attribute():
    return lambda name, value: None


@fixture(scope='session')
def record_testsuite_property():
    return lambda name, value: None


@fixture(scope='session')
def doctest_namespace():
    return {}


@fixture
def cache():
    return _shapecheck.unknown('what earlier runs have kept')


class Subtests:
    def test(self, msg=None, **kwargs):
        return _Disabled()


@fixture
def subtests():
    return Subtests()


class MockerFixture:
    def __init__(self):
        from unittest import mock
        self._mock = mock
        self._started = []
        self.patch = _Patcher(self)
        for n in ('Mock', 'MagicMock', 'NonCallableMock', 'PropertyMock', 'AsyncMock', 'call', 'ANY', 'DEFAULT', 'sentinel', 'mock_open',
                  'create_autospec', 'seal'):
            if hasattr(mock, n):
                setattr(self, n, getattr(mock, n))

    def _start(self, p):
        m = p.start()
        self._started.append(p)
        return m

    def spy(self, obj, name):
        method = getattr(obj, name)
        return self._start(self._mock.patch.object(obj, name, side_effect=method))

    def stub(self, name=None):
        return self._mock.MagicMock(name=name)

    def stopall(self):
        while self._started:
            self._started.pop().stop()

    resetall = stopall


class _Patcher:
    def __init__(self, mocker):
        self.mocker = mocker

    def __call__(self, *args, **kwargs):
        return self.mocker._start(self.mocker._mock.patch(*args, **kwargs))

    def object(self, *args, **kwargs):
        return self.mocker._start(self.mocker._mock.patch.object(*args, **kwargs))

    def dict(self, *args, **kwargs):
        return self.mocker._start(self.mocker._mock.patch.dict(*args, **kwargs))

    def multiple(self, *args, **kwargs):
        return self.mocker._start(self.mocker._mock.patch.multiple(*args, **kwargs))


def _mocker():
    m = MockerFixture()
    yield m
    m.stopall()
