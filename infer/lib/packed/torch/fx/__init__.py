# This file is torch.fx: a traced module computes what the module does until its graph
# is compiled anew; graphs are not known.
from _shapecheck import unknown
from ..nn.modules.module import Module

Graph = unknown('the graphs of torch.fx')


class _Traced(type):
    def __getattr__(cls, name):
        return Graph


# Programs run on values, not on what stands for them while a graph is made: these have
# no instances here.
class Node(metaclass=_Traced):
    def __new__(cls, *args, **kwargs):
        return Graph


class Proxy(metaclass=_Traced):
    def __new__(cls, *args, **kwargs):
        return Graph


def wrap(fn_or_name):
    return fn_or_name


def symbolic_trace(root, concrete_args=None):
    if not isinstance(root, Module):
        return root
    traced = GraphModule(root, Graph)
    if concrete_args is None:
        object.__setattr__(traced, '_traced', root)
    return traced


def has_side_effect(fn):
    return fn


class GraphModule(Module):
    def __init__(self, root, graph, class_name='GraphModule'):
        super().__init__()
        if isinstance(root, Module):
            for table in ('_parameters', '_buffers', '_modules'):
                object.__setattr__(self, table, getattr(root, table))
            self.training = root.training
        self.graph = graph
        self.code = Graph
        object.__setattr__(self, '_traced', None)  # what the graph computes

    def recompile(self):
        object.__setattr__(self, '_traced', None)
        return Graph

    def forward(self, *args, **kwargs):
        if self._traced is None:
            return unknown('what a graph of torch.fx computes')
        self._traced.training = self.training
        return self._traced.forward(*args, **kwargs)


class Tracer:
    def __init__(self, autowrap_modules=(), autowrap_functions=(), param_shapes_constant=False):
        self.root = None
        self.graph = Graph

    def is_leaf_module(self, m, module_qualified_name):
        return type(m).__module__.startswith('torch.nn')

    def trace(self, root, concrete_args=None):
        self.root = root
        return Graph

    def __getattr__(self, name):
        return Graph


class Interpreter:
    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.graph = Graph
        self.env = Graph

    def run(self, *args, **kwargs):
        if type(self) is not Interpreter:
            return unknown('a run of torch.fx that a class changes')
        return self.module(*args)

    def __getattr__(self, name):
        return Graph


Transformer = Interpreter
