# This package stands for unittest.
import _shapecheck
from unittest.case import (FunctionTestCase, IsolatedAsyncioTestCase, SkipTest, TestCase, expectedFailure, skip, skipIf, skipUnless)


class TestSuite:
    def __init__(self, tests=()):
        self._tests = list(tests)

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        for t in tests:
            self.addTest(t)

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        return len(self._tests)

    def run(self, result=None):
        return _shapecheck.unknown('the results of tests')


class TestLoader:
    testMethodPrefix = 'test'

    def getTestCaseNames(self, cls):
        return sorted([n for n in dir(cls) if n.startswith(self.testMethodPrefix) and callable(getattr(cls, n))])

    def loadTestsFromTestCase(self, cls):
        return TestSuite([cls(n) for n in self.getTestCaseNames(cls)])

    def loadTestsFromModule(self, module, *args, **kwargs):
        return TestSuite()

    def loadTestsFromName(self, name, module=None):
        return TestSuite()

    loadTestsFromNames = loadTestsFromName

    def discover(self, start_dir, pattern='test*.py', top_level_dir=None):
        return TestSuite()


defaultTestLoader = TestLoader()


class TestResult:
    def __init__(self, *args, **kwargs):
        self.failures = []
        self.errors = []
        self.skipped = []
        self.testsRun = 0

    def wasSuccessful(self):
        return _shapecheck.unknown('the results of tests')


TextTestResult = TestResult


class TextTestRunner:
    def __init__(self, *args, **kwargs):
        pass

    def run(self, test):
        return _shapecheck.unknown('the results of tests')


def main(*args, **kwargs):
    pass


def findTestCases(*args, **kwargs):
    return TestSuite()


makeSuite = findTestCases


def addModuleCleanup(function, *args, **kwargs):
    pass


def doModuleCleanups():
    pass


def installHandler():
    pass


def registerResult(result):
    pass
