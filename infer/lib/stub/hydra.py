# hydra.main runs a program with a configuration that its files and the command line decide.
import functools as _functools
from _shapecheck import unknown as _unknown


def main(config_path=None, config_name=None, version_base=None):
    def decorate(task):
        @_functools.wraps(task)
        def run(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return task(cfg_passthrough)
            task(_unknown('the configuration of hydra'))
        return run
    return decorate
