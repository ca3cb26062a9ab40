# The package regex, as far as it is the module re. Nothing is known of what a pattern
# finds that only regex understands.
import re as _re
import _shapecheck
from re import *
from re import escape, Pattern, Match, error

for _name in ('A', 'ASCII', 'I', 'IGNORECASE', 'L', 'LOCALE', 'M', 'MULTILINE', 'S', 'DOTALL', 'U', 'UNICODE', 'X', 'VERBOSE'):
    globals()[_name] = getattr(_re, _name)
V0 = VERSION0 = V1 = VERSION1 = B = BESTMATCH = E = ENHANCEMATCH = F = FULLCASE = P = POSIX = R = REVERSE = W = WORD = D = DEBUG = 0


def compile(pattern, flags=0, **kwargs):
    try:
        return _re.compile(pattern, flags)
    except _re.error:
        return _shapecheck.unknown('what a pattern of the package regex finds')


def _of(name):
    def function(pattern, *args, **kwargs):
        return getattr(compile(pattern) if isinstance(pattern, str) else pattern, name)(*args)
    function.__name__ = name
    return function


match, fullmatch, search, split, findall, finditer, sub, subn = [
    _of(_name) for _name in ('match', 'fullmatch', 'search', 'split', 'findall', 'finditer', 'sub', 'subn')]


def purge():
    pass
