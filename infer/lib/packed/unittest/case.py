# This file holds unittest's test cases. An assertion of which the outcome is not known is taken to hold.
import re

import _shapecheck


class SkipTest(Exception):
    pass


class _ShouldStop(Exception):
    pass


def _skipped(reason):
    def decorate(item):
        if not isinstance(item, type):
            def skip_wrapper(*args, **kwargs):
                raise SkipTest(reason)
            import functools
            try:
                functools.update_wrapper(skip_wrapper, item)
            except Exception:
                pass
            item = skip_wrapper
        item.__unittest_skip__ = True
        item.__unittest_skip_why__ = reason
        return item
    return decorate


def skip(reason=''):
    if callable(reason) and not isinstance(reason, str):
        return _skipped('')(reason)
    return _skipped(reason)


def _same(item):
    return item


def skipIf(condition, reason):
    return _skipped(reason) if condition else _same


def skipUnless(condition, reason):
    return _same if condition else _skipped(reason)


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


def _numeric(x):
    return isinstance(x, (int, float, complex))


class _AssertRaises:
    def __init__(self, case, expected, regex=None, msg=None):
        self.case = case
        self.expected = expected
        self.__shapecheck_catches__ = expected if isinstance(expected, tuple) else (expected,)
        self.regex = regex
        self.exception = None

    def __enter__(self):
        self._before = _shapecheck.doings()
        return self

    def __exit__(self, type, value, tb):
        if type is None:
            if _shapecheck.doings() == self._before and _shapecheck.certain():
                _shapecheck.verify('assertRaises', False)
                raise self.case.failureException('%s not raised' % self.__shapecheck_catches__[0].__name__)
            _shapecheck.verify('assertRaises', _shapecheck.unknown('whether a library raises an error'))
            self.exception = _shapecheck.unknown('an error that a library may raise')
            return False
        if not issubclass(type, self.expected):
            return False
        _shapecheck.verify('assertRaises', True)
        self.exception = value
        if self.regex is not None:
            text = str(value)
            pattern = self.regex if isinstance(self.regex, str) else self.regex.pattern
            if _shapecheck.raised_by_program(value) and _shapecheck.is_known(text, pattern):
                if _shapecheck.verify('assertRaisesRegex', re.search(self.regex, text) is not None) is False:
                    raise self.case.failureException('%r does not match %r' % (pattern, text))
            else:
                _shapecheck.verify('assertRaisesRegex', _shapecheck.unknown('the text of an error of a library'))
        return True


class _AssertWarns:
    def __init__(self):
        self.warning = _shapecheck.unknown('which warnings are given')
        self.warnings = _shapecheck.open_list(self.warning, _shapecheck.data_int('warnings', 0))
        self.filename = _shapecheck.data_str()
        self.lineno = _shapecheck.data_int('line', 1)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        if type is None:
            _shapecheck.verify('assertWarns', _shapecheck.unknown('which warnings are given'))
        return False


class _AssertLogs:
    def __enter__(self):
        self.records = _shapecheck.open_list(_shapecheck.unknown('what a program logs'), _shapecheck.data_int('records', 0))
        self.output = _shapecheck.open_list(_shapecheck.data_str(), _shapecheck.data_int('records', 0))
        return self

    def __exit__(self, type, value, tb):
        if type is None:
            _shapecheck.verify('assertLogs', _shapecheck.unknown('what a program logs'))
        return False


class _SubTest:
    def __enter__(self):
        return None

    def __exit__(self, type, value, tb):
        return False


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = 640

    def __init__(self, methodName='runTest'):
        self._testMethodName = methodName
        self._cleanups = []
        self._testMethodDoc = None

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    @classmethod
    def addClassCleanup(cls, function, *args, **kwargs):
        if '_class_cleanups' not in cls.__dict__:
            cls._class_cleanups = []
        cls._class_cleanups.append((function, args, kwargs))

    @classmethod
    def doClassCleanups(cls):
        list = cls.__dict__.get('_class_cleanups', [])
        while list:
            f, args, kwargs = list.pop()
            f(*args, **kwargs)

    def addCleanup(self, function, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def doCleanups(self):
        while self._cleanups:
            f, args, kwargs = self._cleanups.pop()
            f(*args, **kwargs)

    def enterContext(self, cm):
        v = cm.__enter__()
        self.addCleanup(cm.__exit__, None, None, None)
        return v

    def _call_step(self, f, *args):
        return f(*args)

    def _run_pytest(self, name):
        """Runs a test as pytest has TestCase.run do it."""
        method = getattr(self, name)
        self._call_step(self.setUp)
        self._call_step(method)
        self._call_step(self.tearDown)
        self.doCleanups()

    def run(self, result=None):
        self._run_pytest(self._testMethodName)
        return result

    def __call__(self, *args, **kwargs):
        return self.run(*args, **kwargs)

    def debug(self):
        self._run_pytest(self._testMethodName)

    def id(self):
        return '%s.%s.%s' % (type(self).__module__, type(self).__qualname__, self._testMethodName)

    def shortDescription(self):
        return None

    def countTestCases(self):
        return 1

    def defaultTestResult(self):
        return _shapecheck.unknown('the results of tests')

    def __str__(self):
        return '%s (%s.%s)' % (self._testMethodName, type(self).__module__, type(self).__qualname__)

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **params):
        return _SubTest()

    def fail(self, msg=None):
        raise self.failureException(msg)

    def addTypeEqualityFunc(self, typeobj, function):
        pass

    def _verify(self, kind, condition, text, msg):
        if _shapecheck.verify(kind, condition) is False:
            raise self.failureException(text() if msg is None else '%s : %s' % (text(), msg))

    def assertTrue(self, expr, msg=None):
        self._verify('assertTrue', expr, lambda: '%r is not true' % (expr,), msg)

    def assertFalse(self, expr, msg=None):
        self._verify('assertFalse', not expr, lambda: '%r is not false' % (expr,), msg)

    def assertEqual(self, first, second, msg=None):
        self._verify('assertEqual', first == second, lambda: '%r != %r' % (first, second), msg)

    def assertNotEqual(self, first, second, msg=None):
        self._verify('assertNotEqual', first != second, lambda: '%r == %r' % (first, second), msg)

    def _order(self, kind, first, second, places, delta, equal, msg):
        if not (_numeric(first) and _numeric(second)) or not _shapecheck.is_known(first, second):
            if _numeric(first) and _numeric(second):
                first - second
            _shapecheck.verify(kind, _shapecheck.unknown('numbers that are compared'))
            return
        if first == second:
            near = True
        elif delta is not None:
            if not _shapecheck.is_known(delta):
                _shapecheck.verify(kind, _shapecheck.unknown('numbers that are compared'))
                return
            near = (first - second).__abs__() <= delta
        else:
            near = round((first - second).__abs__(), 7 if places is None else places) == 0
        self._verify(kind, near is equal, lambda: '%r %s %r' % (first, '!=' if equal else '==', second), msg)

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        self._order('assertAlmostEqual', first, second, places, delta, True, msg)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        self._order('assertNotAlmostEqual', first, second, places, delta, False, msg)

    def assertLess(self, a, b, msg=None):
        self._verify('assertLess', a < b, lambda: '%r not less than %r' % (a, b), msg)

    def assertLessEqual(self, a, b, msg=None):
        self._verify('assertLessEqual', a <= b, lambda: '%r not less than or equal to %r' % (a, b), msg)

    def assertGreater(self, a, b, msg=None):
        self._verify('assertGreater', a > b, lambda: '%r not greater than %r' % (a, b), msg)

    def assertGreaterEqual(self, a, b, msg=None):
        self._verify('assertGreaterEqual', a >= b, lambda: '%r not greater than or equal to %r' % (a, b), msg)

    def assertIs(self, expr1, expr2, msg=None):
        self._verify('assertIs', expr1 is expr2, lambda: '%r is not %r' % (expr1, expr2), msg)

    def assertIsNot(self, expr1, expr2, msg=None):
        self._verify('assertIsNot', expr1 is not expr2, lambda: 'unexpectedly identical: %r' % (expr1,), msg)

    def assertIsNone(self, obj, msg=None):
        self._verify('assertIsNone', obj is None, lambda: '%r is not None' % (obj,), msg)

    def assertIsNotNone(self, obj, msg=None):
        self._verify('assertIsNotNone', obj is not None, lambda: 'unexpectedly None', msg)

    def assertIn(self, member, container, msg=None):
        self._verify('assertIn', member in container, lambda: '%r not found in %r' % (member, container), msg)

    def assertNotIn(self, member, container, msg=None):
        self._verify('assertNotIn', member not in container, lambda: '%r unexpectedly found in %r' % (member, container), msg)

    def assertIsInstance(self, obj, cls, msg=None):
        self._verify('assertIsInstance', isinstance(obj, cls), lambda: '%r is not an instance of %r' % (obj, cls), msg)

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._verify('assertNotIsInstance', not isinstance(obj, cls), lambda: '%r is an instance of %r' % (obj, cls), msg)

    def assertIsSubclass(self, cls, superclass, msg=None):
        self._verify('assertIsSubclass', issubclass(cls, superclass), lambda: '%r is not a subclass of %r' % (cls, superclass), msg)

    def assertHasAttr(self, obj, name, msg=None):
        self._verify('assertHasAttr', hasattr(obj, name), lambda: '%r has no attribute %r' % (obj, name), msg)

    def assertListEqual(self, list1, list2, msg=None):
        self.assertEqual(list1, list2, msg)

    assertTupleEqual = assertListEqual
    assertSetEqual = assertListEqual
    assertDictEqual = assertListEqual
    assertMultiLineEqual = assertListEqual

    def assertSequenceEqual(self, seq1, seq2, msg=None, seq_type=None):
        self._verify('assertSequenceEqual', list(seq1) == list(seq2), lambda: '%r != %r' % (seq1, seq2), msg)

    def assertCountEqual(self, first, second, msg=None):
        a, b = list(first), list(second)
        if len(a) != len(b):
            self._verify('assertCountEqual', False, lambda: 'Element counts were not equal', msg)
        if not _shapecheck.is_known(a, b):
            _shapecheck.verify('assertCountEqual', _shapecheck.unknown('elements that are compared'))
            return
        same = all(a.count(x) == b.count(x) for x in a)
        self._verify('assertCountEqual', same, lambda: 'Element counts were not equal', msg)

    def assertDictContainsSubset(self, subset, dictionary, msg=None):
        for k in subset:
            self.assertIn(k, dictionary, msg)
            self.assertEqual(subset[k], dictionary[k], msg)

    def assertRegex(self, text, expected_regex, msg=None):
        if not _shapecheck.is_known(text):
            _shapecheck.verify('assertRegex', _shapecheck.unknown('a text'))
            return
        self._verify('assertRegex', re.search(expected_regex, text) is not None, lambda: "Regex didn't match", msg)

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        if not _shapecheck.is_known(text):
            _shapecheck.verify('assertNotRegex', _shapecheck.unknown('a text'))
            return
        self._verify('assertNotRegex', re.search(unexpected_regex, text) is None, lambda: 'Regex matched', msg)

    def assertRaises(self, expected_exception, *args, **kwargs):
        context = _AssertRaises(self, expected_exception)
        if not args:
            return context
        with context:
            args[0](*args[1:], **kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        context = _AssertRaises(self, expected_exception, expected_regex)
        if not args:
            return context
        with context:
            args[0](*args[1:], **kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        if not args:
            return _AssertWarns()
        with _AssertWarns():
            args[0](*args[1:], **kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        return self.assertWarns(expected_warning, *args, **kwargs)

    def assertLogs(self, logger=None, level=None):
        return _AssertLogs()

    def assertNoLogs(self, logger=None, level=None):
        return _AssertLogs()

    assertEquals = assertEqual
    assert_ = assertTrue
    assertItemsEqual = assertCountEqual


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        TestCase.__init__(self)
        self._testFunc = testFunc

    def runTest(self):
        self._testFunc()


class IsolatedAsyncioTestCase(TestCase):
    async def asyncSetUp(self):
        pass

    async def asyncTearDown(self):
        pass

    def addAsyncCleanup(self, func, *args, **kwargs):
        self.addCleanup(func, *args, **kwargs)

    def _run_pytest(self, name):
        import asyncio
        self.setUp()
        asyncio.run(self.asyncSetUp())
        r = getattr(self, name)()
        import inspect
        if inspect.iscoroutine(r):
            asyncio.run(r)
        asyncio.run(self.asyncTearDown())
        self.tearDown()
        self.doCleanups()
