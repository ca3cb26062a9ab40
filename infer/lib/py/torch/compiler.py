# This file is torch.compiler.
import contextlib
import _shapecheck
from . import compile
from ._dynamo import allow_in_graph, disable, is_compiling, reset


def is_dynamo_compiling():
    return _shapecheck.get_option('exporting') in ('strict', 'compile') or _shapecheck.compiles()


def is_exporting():
    return _shapecheck.get_option('exporting') in ('yes', 'export', 'strict', 'again')


def assume_constant_result(fn):
    return fn


def substitute_in_graph(original_fn, **kwargs):
    return lambda fn: fn


def set_stance(*args, **kwargs):
    return contextlib.nullcontext()


def cudagraph_mark_step_begin():
    pass
