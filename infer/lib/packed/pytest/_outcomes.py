# This file holds the exceptions with which a test ends itself, and the functions that raise them.
import _shapecheck


class OutcomeException(BaseException):
    def __init__(self, msg=None, pytrace=True):
        super().__init__(msg if msg is not None else '')
        self.msg = msg
        self.pytrace = pytrace


class Skipped(OutcomeException):
    def __init__(self, msg=None, pytrace=True, allow_module_level=False):
        super().__init__(msg, pytrace)
        self.allow_module_level = allow_module_level


class Failed(OutcomeException):
    pass


class XFailed(Failed):
    pass


class Exit(Exception):
    def __init__(self, msg='unknown reason', returncode=None):
        super().__init__(msg)
        self.msg = msg
        self.returncode = returncode


class _Skip:
    Exception = Skipped

    def __call__(self, reason='', allow_module_level=False, msg=None):
        raise Skipped(msg or reason, allow_module_level=allow_module_level)


class _Fail:
    Exception = Failed

    def __call__(self, reason='', pytrace=True, msg=None):
        raise Failed(msg or reason, pytrace)


class _XFail:
    Exception = XFailed

    def __call__(self, reason=''):
        raise XFailed(reason)


class _Exit:
    Exception = Exit

    def __call__(self, reason='', returncode=None, msg=None):
        raise Exit(msg or reason, returncode)


skip = _Skip()
fail = _Fail()
xfail = _XFail()
exit = _Exit()


def _release(text):
    out = []
    for part in text.split('.'):
        digits = ''
        for c in part:
            if not c.isdigit():
                break
            digits += c
        if digits == '':
            break
        out.append(int(digits))
        if digits != part:
            break
    return out


def importorskip(modname, minversion=None, reason=None, exc_type=None):
    import importlib
    if not _shapecheck.module_is_there(modname):
        raise Skipped(reason or "could not import '" + modname + "'", allow_module_level=True)
    mod = importlib.import_module(modname)
    if minversion is None:
        return mod
    version = getattr(mod, '__version__', None)
    if isinstance(version, str) and _shapecheck.is_known(version) and _release(version) < _release(minversion):
        raise Skipped(reason or 'module ' + repr(modname) + ' has __version__ ' + version + ', required is: ' + minversion,
                      allow_module_level=True)
    return mod
