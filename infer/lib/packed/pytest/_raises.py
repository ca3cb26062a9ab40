# This file holds the checks of exceptions, warnings and numbers. What a body surely does not raise fails the test; where a library ran in
# it, which may have raised what is not modelled, that is not known.
import re

import _shapecheck
from pytest._outcomes import Failed, fail


class ExceptionInfo:
    def __init__(self):
        self.type = None
        self.value = None
        self.tb = None
        self.typename = None

    def _fill(self, type, value):
        self.type = type
        self.value = value
        self.typename = type.__name__

    @classmethod
    def for_later(cls):
        return cls()

    @classmethod
    def from_exc_info(cls, info, exprinfo=None):
        x = cls()
        x._fill(info[0], info[1])
        return x

    @classmethod
    def from_current(cls):
        return cls.from_exc_info(__import__('sys').exc_info())

    @property
    def traceback(self):
        return _shapecheck.unknown('the traceback of an exception')

    def exconly(self, tryshort=False):
        return self.typename + ': ' + str(self.value)

    def errisinstance(self, exc):
        return isinstance(self.value, exc)

    def match(self, regexp):
        _match(regexp, self.value)
        return True

    def group_contains(self, expected_exception, match=None, depth=None):
        return _shapecheck.unknown('the exceptions of a group')

    def __str__(self):
        return '<ExceptionInfo ' + repr(self.value) + '>'


def _match(pattern, value):
    """Fails the test where the text of an exception that the program raised does not match; texts of libraries are ours."""
    if not _shapecheck.raised_by_program(value):
        _shapecheck.verify('match', _shapecheck.unknown('the text of an error of a library'))
        return
    text = str(value)
    if not _shapecheck.is_known(text, pattern if isinstance(pattern, str) else pattern.pattern):
        _shapecheck.verify('match', _shapecheck.unknown('the text of an error'))
        return
    if _shapecheck.verify('match', re.search(pattern, text) is not None) is False:
        raise AssertionError('Regex pattern did not match.\n  Expected regex: %r\n  Actual message: %r' % (
            pattern if isinstance(pattern, str) else pattern.pattern, text))


class RaisesContext:
    def __init__(self, expected, match=None, check=None):
        self.expected_exception = expected
        self.__shapecheck_catches__ = expected if isinstance(expected, tuple) else (expected,)
        self.match_expr = match
        self.check = check
        self.excinfo = None

    def __enter__(self):
        self.excinfo = ExceptionInfo.for_later()
        self._before = _shapecheck.doings()
        return self.excinfo

    def __exit__(self, type, value, tb):
        if type is None:
            if _shapecheck.doings() == self._before and _shapecheck.certain():
                _shapecheck.verify('raises', False)
                raise Failed('DID NOT RAISE %r' % (self.expected_exception,))
            _shapecheck.verify('raises', _shapecheck.unknown('whether a library raises an error'))
            self.excinfo._fill(self.__shapecheck_catches__[0], _shapecheck.unknown('an error that a library may raise'))
            return False
        if not issubclass(type, self.expected_exception):
            return False
        _shapecheck.verify('raises', True)
        self.excinfo._fill(type, value)
        if self.match_expr is not None:
            _match(self.match_expr, value)
        if self.check is not None and _shapecheck.verify('check', self.check(value)) is False:
            raise AssertionError('check of the exception did not return True')
        return True


def raises(expected_exception=None, *args, match=None, check=None, **kwargs):
    if expected_exception is None:
        expected_exception = BaseException
    if not args:
        return RaisesContext(expected_exception, match, check)
    context = RaisesContext(expected_exception)
    with context as info:
        args[0](*args[1:], **kwargs)
    return info


class RaisesExc(RaisesContext):
    def __init__(self, expected_exception=None, match=None, check=None):
        RaisesContext.__init__(self, BaseException if expected_exception is None else expected_exception, match, check)


class RaisesGroup:
    def __init__(self, *expected, allow_unwrapped=False, flatten_subgroups=False, match=None, check=None):
        self.__shapecheck_catches__ = (BaseException,)

    def __enter__(self):
        return _shapecheck.unknown('the exceptions of a group')

    def __exit__(self, type, value, tb):
        return type is not None


class WarningsRecorder:
    def __init__(self):
        self._list = None

    @property
    def list(self):
        return _shapecheck.open_list(_shapecheck.unknown('which warnings are given'), _shapecheck.data_int('warnings', 0))

    def __getitem__(self, i):
        return _shapecheck.unknown('which warnings are given')

    def __iter__(self):
        return iter(self.list)

    def __len__(self):
        return _shapecheck.data_int('warnings', 0)

    def pop(self, cls=Warning):
        return _shapecheck.unknown('which warnings are given')

    def clear(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        return False


class WarningsChecker(WarningsRecorder):
    def __exit__(self, type, value, tb):
        if type is None:
            _shapecheck.verify('warns', _shapecheck.unknown('which warnings are given'))
        return False


def warns(expected_warning=Warning, *args, match=None, **kwargs):
    if not args:
        return WarningsChecker()
    with WarningsChecker():
        return args[0](*args[1:], **kwargs)


def deprecated_call(*args, **kwargs):
    if args:
        return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), *args, **kwargs)
    return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning))


class _Approx:
    __array_ufunc__ = None
    __array_priority__ = 100

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected = expected
        self.rel = rel
        self.abs = abs
        self.nan_ok = nan_ok

    def _near(self, actual, expected):
        if isinstance(expected, bool) or expected is None or isinstance(expected, str) or not _numeric(expected):
            return actual == expected
        if not _shapecheck.is_known(actual, expected) or not _numeric(actual):
            return _shapecheck.unknown('a number that is compared')
        if actual == expected:
            return True
        if actual != actual or expected != expected:
            return self.nan_ok and actual != actual and expected != expected
        absolute = 1e-12 if self.abs is None else self.abs
        if not _shapecheck.is_known(absolute, self.rel):
            return _shapecheck.unknown('how exact a number must be')
        if expected in (float('inf'), float('-inf')):
            return False
        tolerance = absolute
        if self.rel is not None or self.abs is None:
            relative = (1e-6 if self.rel is None else self.rel) * (expected if not isinstance(expected, complex) and expected >= 0 else -expected
                                                                  if not isinstance(expected, complex) else expected.__abs__())
            if relative > tolerance:
                tolerance = relative
        return (actual - expected).__abs__() <= tolerance

    def __eq__(self, actual):
        expected = self.expected
        if _shapecheck.is_lost(actual) or _shapecheck.is_lost(expected):
            return _shapecheck.unknown('a value that is compared')
        if isinstance(expected, dict):
            if not isinstance(actual, dict) or not _shapecheck.is_known(list(expected.keys()), list(actual.keys())):
                return _shapecheck.unknown('a value that is compared')
            if set(actual.keys()) != set(expected.keys()):
                return False
            return _all([self._near(actual[k], expected[k]) for k in expected])
        if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
            n, m = len(actual), len(expected)
            if not _shapecheck.is_known(n, m):
                return _shapecheck.unknown('a value that is compared')
            if n != m:
                return False
            return _all([self._near(a, e) for a, e in zip(actual, expected)])
        if _numeric(expected) and _numeric(actual) or expected is None or isinstance(expected, str):
            return self._near(actual, expected)
        return _shapecheck.unknown('a value that is compared')

    def __ne__(self, actual):
        r = self == actual
        return r if _shapecheck.is_lost(r) else not r

    def __repr__(self):
        return repr(self.expected) + ' +- ...'


def _numeric(x):
    return isinstance(x, (int, float, complex)) and not isinstance(x, bool)


def _all(results):
    lost = None
    for r in results:
        if _shapecheck.is_lost(r) or not _shapecheck.is_known(r):
            lost = r
        elif not r:
            return False
    return True if lost is None else lost


def approx(expected, rel=None, abs=None, nan_ok=False):
    return _Approx(expected, rel, abs, nan_ok)
