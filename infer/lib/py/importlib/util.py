# The Python part of importlib.util: modules that are loaded from a file.
import _shapecheck
from importlib.machinery import SourceFileLoader, _spec


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    if location is None or _shapecheck.is_unknown(location):
        return _shapecheck.unknown('which file is a module')
    spec = _spec(name, str(location), submodule_search_locations)
    if loader is not None:
        spec.loader = loader
    return spec


def module_from_spec(spec):
    if type(getattr(spec, 'loader', None)) is not SourceFileLoader:
        return _shapecheck.unknown('how a module is made')
    return _shapecheck.new_module(spec.name, spec.origin, spec.submodule_search_locations)
