# The module pkgutil: the modules of folders that may be read, in the order that Python
# lists them.
import sys
import _shapecheck
from collections import namedtuple
from importlib.machinery import FileFinder

ModuleInfo = namedtuple('ModuleInfo', 'module_finder name ispkg')


def iter_modules(path=None, prefix=''):
    if path is None:
        yield from _shapecheck.open_list(_shapecheck.unknown('all modules that can be imported'), _shapecheck.data_int('modules'))
        return
    if isinstance(path, str):
        raise ValueError('path must be None or list of paths to look for modules in')
    yielded = set()
    for folder in path:
        found = _shapecheck.modules_in(folder)
        if _shapecheck.is_unknown(found):
            yield from found
            continue
        finder = FileFinder(folder)
        for name, ispkg in found:
            if name not in yielded:
                yielded.add(name)
                yield ModuleInfo(finder, prefix + name, ispkg)


def walk_packages(path=None, prefix='', onerror=None):
    yield from _walk(path, prefix, onerror, set())


def _walk(path, prefix, onerror, seen):
    for info in iter_modules(path, prefix):
        yield info
        if _shapecheck.is_unknown(info):
            continue
        if info.ispkg:
            try:
                __import__(info.name)
            except ImportError:
                if onerror is not None:
                    onerror(info.name)
            except Exception:
                if onerror is not None:
                    onerror(info.name)
                else:
                    raise
            else:
                below = [p for p in getattr(sys.modules[info.name], '__path__', None) or [] if p not in seen]
                seen.update(below)
                yield from _walk(below, info.name + '.', onerror, seen)


def iter_importer_modules(importer, prefix=''):
    for info in iter_modules([importer.path], prefix):
        yield info.name, info.ispkg


def get_importer(path_item):
    return FileFinder(path_item)


def extend_path(path, name):
    return path


def resolve_name(name):
    from importlib import import_module
    module, colon, rest = name.partition(':')
    if colon:
        found = import_module(module)
        parts = rest.split('.') if rest else []
    else:
        parts = name.split('.')
        module = parts.pop(0)
        found = import_module(module)
        while parts:
            try:
                found = import_module(module + '.' + parts[0])
            except ImportError:
                break
            module += '.' + parts.pop(0)
    for part in parts:
        found = getattr(found, part)
    return found
