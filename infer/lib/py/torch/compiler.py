# This file is torch.compiler.
from . import compile
from ._dynamo import allow_in_graph, disable, is_compiling, reset


def is_dynamo_compiling():
    return False


def cudagraph_mark_step_begin():
    pass
