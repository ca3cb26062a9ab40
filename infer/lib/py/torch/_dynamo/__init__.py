# This file is torch._dynamo: functions stay as they are.
import _shapecheck
from types import SimpleNamespace

config = SimpleNamespace(suppress_errors=False, verbose=False, cache_size_limit=8)


def disable(fn=None, recursive=True):
    return (lambda f: f) if fn is None else fn


def allow_in_graph(fn):
    return fn


def optimize(*args, **kwargs):
    return lambda f: f


def is_compiling():
    # torch.export captures a program, as torch.compile does
    return _shapecheck.get_option('exporting') in ('yes', 'again')


def mark_dynamic(t, index, **kwargs):
    pass


def maybe_mark_dynamic(t, index):
    pass


def mark_static(t, index=None):
    pass


def mark_static_address(t, guard=True):
    pass


def assume_constant_result(fn):
    return fn


def disallow_in_graph(fn):
    return fn


def forbid_in_graph(fn):
    return fn


class OptimizedModule:
    pass


def reset():
    pass


def graph_break():
    pass
