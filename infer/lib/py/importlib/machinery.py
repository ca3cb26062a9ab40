# The module importlib.machinery: what says where a module comes from.


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


class ExtensionFileLoader(SourceFileLoader):
    pass


class FileFinder:
    def __init__(self, path, *loaders):
        self.path = path

    def find_spec(self, name, target=None):
        return _shapecheck.unknown('how modules are found')


class PathFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return _shapecheck.unknown('how modules are found')


def _spec(name, origin, dirs):
    spec = ModuleSpec(name, BuiltinImporter if origin is None else SourceFileLoader(name, origin), origin=origin)
    spec.has_location = origin is not None
    spec.submodule_search_locations = dirs
    return spec
