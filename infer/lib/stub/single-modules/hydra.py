# hydra.main runs a program with a configuration that its files and the command line decide, or
# the program itself, where it stores one under the name.
import functools as _functools
import sys as _sys
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _config(path, name):
    if path is None and isinstance(name, str) and len(_sys.argv[1:]) == 0:
        from hydra.core.config_store import _find
        found = _find(name)
        if found is not None and not _is_unknown(found) and 'defaults' not in found:
            return found
    return _unknown('the configuration of hydra')


def main(config_path=None, config_name=None, version_base=None):
    def decorate(task):
        @_functools.wraps(task)
        def run(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return task(cfg_passthrough)
            task(_config(config_path, config_name))
        return run
    return decorate
