# This file is torch.fx: tracing gives the module itself.
from ..nn.modules.module import Module


def wrap(fn_or_name):
    return fn_or_name


def symbolic_trace(root, concrete_args=None):
    return root


def has_side_effect(fn):
    return fn


class Proxy:
    pass


class Node:
    pass


class Graph:
    pass


class GraphModule(Module):
    pass


class Tracer:
    def __init__(self, autowrap_modules=(), autowrap_functions=(), param_shapes_constant=False):
        pass

    def is_leaf_module(self, m, module_qualified_name):
        return type(m).__module__.startswith('torch.nn')


class Interpreter:
    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module

    def run(self, *args):
        return self.module(*args)


Transformer = Interpreter
