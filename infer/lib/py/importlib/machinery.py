# The module importlib.machinery: what says where a module comes from.


import sys
import _shapecheck

SOURCE_SUFFIXES = ['.py']
BYTECODE_SUFFIXES = ['.pyc']
EXTENSION_SUFFIXES = ['.cpython-311-x86_64-linux-gnu.so', '.abi3.so', '.so']


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name = name
        self.loader = loader
        self.origin = origin
        self.loader_state = loader_state
        self.submodule_search_locations = [] if is_package else None
        self.cached = None
        self.has_location = False

    @property
    def parent(self):
        return self.name if self.submodule_search_locations is not None else self.name.rpartition('.')[0]


class BuiltinImporter:
    pass


class SourceFileLoader:
    def __init__(self, fullname, path):
        self.name = fullname
        self.path = path

    def get_filename(self, name=None):
        return self.path

    def is_package(self, fullname):
        return self.path.endswith('__init__.py')

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _shapecheck.exec_module(module, self.path)

    def load_module(self, fullname=None):
        if self.name in sys.modules:
            return sys.modules[self.name]
        module = _shapecheck.new_module(self.name, self.path, None)
        sys.modules[self.name] = module
        self.exec_module(module)
        return module


class ExtensionFileLoader(SourceFileLoader):
    pass


class FileFinder:
    def __init__(self, path, *loaders):
        self.path = path

    def find_spec(self, name, target=None):
        found = _shapecheck.module_in(self.path, name.rpartition('.')[2])
        if _shapecheck.is_unknown(found) or found is None:
            return found
        return _spec(name, *found)


class PathFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return _shapecheck.unknown('how modules are found')


def _spec(name, origin, dirs):
    spec = ModuleSpec(name, BuiltinImporter if origin is None else SourceFileLoader(name, origin), origin=origin)
    spec.has_location = origin is not None
    spec.submodule_search_locations = dirs
    return spec
