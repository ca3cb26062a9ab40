# This package stands for pytest: what tests import of it. The driver of a suite is _collect.py.
import _shapecheck
from pytest._outcomes import Exit, Failed, Skipped, XFailed, exit, fail, importorskip, skip, xfail
from pytest._marks import HIDDEN_PARAM, Mark, MarkDecorator, MarkGenerator, mark, param
from pytest._fixtures import FixtureDef, FixtureLookupError, FixtureRequest, fixture, yield_fixture
from pytest._raises import ExceptionInfo, RaisesExc, RaisesGroup, WarningsRecorder, approx, deprecated_call, raises, warns
from pytest._builtin import CaptureFixture, LogCaptureFixture, MonkeyPatch, TempPathFactory
from pytest._config import Config, Parser

__version__ = '9.0.2'
version_tuple = (9, 0, 2)


class PytestWarning(UserWarning):
    pass


class PytestUnraisableExceptionWarning(PytestWarning):
    pass


class PytestDeprecationWarning(PytestWarning, DeprecationWarning):
    pass


class PytestCollectionWarning(PytestWarning):
    pass


class PytestUnknownMarkWarning(PytestWarning):
    pass


class UsageError(Exception):
    pass


class Cache:
    pass


class StashKey:
    def __class_getitem__(cls, item):
        return cls


class Stash(dict):
    pass


def hookimpl(function=None, **options):
    if function is not None:
        return function
    return lambda f: f


hookspec = hookimpl


def register_assert_rewrite(*names):
    pass


def freeze_includes():
    return []


def main(args=None, plugins=None):
    return _shapecheck.data_int('status', 0)


class ExitCode:
    OK = 0
    TESTS_FAILED = 1
    INTERRUPTED = 2
    INTERNAL_ERROR = 3
    USAGE_ERROR = 4
    NO_TESTS_COLLECTED = 5


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    if name in ('Session', 'Module', 'Class', 'Function', 'Item', 'Metafunc', 'CallSpec'):
        from pytest import _collect
        return getattr(_collect, name)
    if name in ('Collector', 'File', 'Package', 'Directory', 'Dir', 'Testdir', 'Pytester', 'TerminalReporter', 'TestReport', 'CallInfo', 'CollectReport',
                'PytestPluginManager', 'HookRecorder', 'RunResult', 'LineMatcher', 'DoctestItem', 'console_main', 'cmdline'):
        return _shapecheck.unknown('pytest.' + name + ' is not modelled')
    raise AttributeError("module 'pytest' has no attribute %r" % name)
