# This file is torch.jit: compiled code has the types of its source.
import _shapecheck
from typing import Final
from . import _traced
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


TracingCheckError = _traced.TracingCheckError


def _identity(obj=None, *args, **kwargs):
    if obj is None:
        return lambda f: f
    return obj


def script(obj=None, *args, **kwargs):
    _shapecheck.compiled(obj)
    return _identity(obj)


interface = _identity
freeze = script
optimize_for_inference = script
export = _identity
unused = _identity
script_method = script
script_if_tracing = _identity
_overload = _identity
_overload_method = _identity
_script_if_tracing = _identity
run_frozen_optimizations = _identity


def ignore(drop=False, **kwargs):
    if callable(drop):
        return drop
    return lambda f: f


# The example is run, as the tracer runs it.
def trace(func, example_inputs=None, *args, example_kwarg_inputs=None, check_trace=True, **kwargs):
    if example_kwarg_inputs is None and example_inputs is not None and _shapecheck.jit_records():
        return script(_traced.trace(func, example_inputs, check_trace))
    if example_kwarg_inputs is not None:
        func(**example_kwarg_inputs)
    elif isinstance(example_inputs, (tuple, list)):
        func(*example_inputs)
    elif example_inputs is not None:
        func(example_inputs)
    return script(func)


def trace_module(mod, inputs, *args, **kwargs):
    for name, example in inputs.items():
        method = mod if name == 'forward' else getattr(mod, name)
        method(*example) if isinstance(example, tuple) else method(example)
    return script(mod)


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


class Future:
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, result):
        self.result = result

    def wait(self):
        return self.result


def fork(func, *args, **kwargs):
    return Future(func(*args, **kwargs))


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
