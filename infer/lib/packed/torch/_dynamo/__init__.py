# This file is torch._dynamo: functions stay as they are.
import _shapecheck
from types import SimpleNamespace

config = SimpleNamespace(suppress_errors=False, verbose=False, automatic_dynamic_shapes=True, capture_scalar_outputs=False, capture_dynamic_output_shape_ops=False, allow_rnn=False)


def disable(fn=None, recursive=True):
    if fn is None:
        return disable
    if isinstance(fn, type) or not _shapecheck.jit_records():
        return fn

    def uncompiled(*args, **kwargs):
        return _shapecheck.uncompiled(fn, *args, **kwargs)

    return uncompiled


def graph_break(msg=''):
    _shapecheck.graph_break()


def allow_in_graph(fn):
    return fn


def optimize(*args, **kwargs):
    return lambda f: f


def is_compiling():
    # torch.export captures a program, as torch.compile does
    return _shapecheck.get_option('exporting') in ('yes', 'export', 'strict', 'again', 'compile') or _shapecheck.compiles()


def _mark(t, name, index):
    axes = list(range(t.ndim)) if index is None else list(index) if isinstance(index, (tuple, list)) else [index]
    _shapecheck.mark_axes(t, name, axes)


def mark_dynamic(t, index, **kwargs):
    _mark(t, '_dynamo_dynamic_indices', index)


def maybe_mark_dynamic(t, index):
    _mark(t, '_dynamo_weak_dynamic_indices', index)


def mark_static(t, index=None):
    if not isinstance(t, type):
        _mark(t, '_dynamo_static_indices', index)


def mark_static_address(t, guard=True):
    pass


def assume_constant_result(fn):
    return fn


def disallow_in_graph(fn):
    return fn


def forbid_in_graph(fn):
    return fn


class OptimizedModule:  # of a script whose calls are not recorded
    pass


def reset():
    _shapecheck.forget_graphs()
