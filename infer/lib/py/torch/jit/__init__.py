# This file is torch.jit: compiled code has the types of its source.
import _shapecheck
from typing import Final
from ..nn.modules.module import Module as ScriptModule

RecursiveScriptModule = ScriptModule
TopLevelTracedModule = ScriptModule


class ScriptFunction:
    pass


class ScriptWarning(Warning):
    pass


class TracerWarning(Warning):
    pass


class Error(Exception):
    pass


def _identity(obj=None, *args, **kwargs):
    if obj is None:
        return lambda f: f
    return obj


script = _identity
interface = _identity
freeze = _identity
optimize_for_inference = _identity
export = _identity
unused = _identity
script_method = _identity
script_if_tracing = _identity
_overload = _identity
_overload_method = _identity
_script_if_tracing = _identity
run_frozen_optimizations = _identity


def ignore(drop=False, **kwargs):
    if callable(drop):
        return drop
    return lambda f: f


def trace(func, example_inputs=None, *args, **kwargs):
    return func


def trace_module(mod, inputs, *args, **kwargs):
    return mod


def annotate(the_type, the_value):
    return the_value


def is_scripting():
    return False


def is_tracing():
    return False


def isinstance(obj, target_type):
    import builtins
    import typing
    if builtins.isinstance(target_type, (tuple, list)):
        return any(isinstance(obj, t) for t in target_type)
    origin, args = typing.get_origin(target_type), typing.get_args(target_type)
    if origin is None:
        return builtins.isinstance(obj, target_type)
    if origin is typing.Union:
        return any(isinstance(obj, type(None) if t is None else t) for t in args)
    if not builtins.isinstance(obj, origin):
        return False
    if origin is list:
        return all(isinstance(x, args[0]) for x in obj)
    if origin is tuple:
        return len(obj) == len(args) and all(isinstance(x, t) for x, t in zip(obj, args))
    if origin is dict:
        return all(isinstance(k, args[0]) and isinstance(x, args[1]) for k, x in obj.items())
    return True


class Attribute:
    def __new__(cls, value, type):
        return value


class _Future:
    def __init__(self, result):
        self.result = result

    def wait(self):
        return self.result


def fork(func, *args, **kwargs):
    return _Future(func(*args, **kwargs))


def wait(future):
    return future.wait()


def save(m, f, _extra_files=None):
    pass


def load(f, map_location=None, _extra_files=None):
    return _shapecheck.unknown('what torch.jit.load reads from a file')


class strict_fusion:
    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


fuser = strict_fusion


def set_fusion_strategy(strategy):
    return []
