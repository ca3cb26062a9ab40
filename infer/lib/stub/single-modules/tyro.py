# tyro.cli makes what it is given with the arguments of the command line; without any all have
# their defaults.
import dataclasses as _dataclasses
import sys as _sys
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def cli(f, *more, prog=None, description=None, args=None, default=None, **kwargs):
    given = _sys.argv[1:] if args is None else args
    if _is_unknown(f) or _is_unknown(given) or len(given) > 0:
        return _unknown('what the command line says')
    if default is not None:
        return default
    if _dataclasses.is_dataclass(f):
        if any([v.default is _dataclasses.MISSING and v.default_factory is _dataclasses.MISSING for v in _dataclasses.fields(f) if v.init]):
            return _unknown('what the command line must say')
        return f()
    return _unknown('what the command line says')
