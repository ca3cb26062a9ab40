# This file is the Python part of chainer: what its modules offer under one name.
# Variables and the records of chainer.functions are native.
import _shapecheck
from ._config import (config, global_config, using_config, no_backprop_mode, force_backprop_mode, is_debug, set_debug, DebugMode,
                      mixed16, disable_experimental_feature_warning, get_dtype)
from .parameter import Parameter
from .link import Link, Chain, ChainList, LinkHook, DeviceResident
from .sequential import Sequential
from .reporting import Reporter, Summary, DictSummary, report, report_scope, get_current_reporter
from .function_node import FunctionNode, FunctionAdapter, Function, FunctionHook, FunctionTestError, backward, grad
from .backends import cuda
from . import backend
from .backend import get_device, using_device
from . import initializers
from .initializers import Initializer

__version__ = '7.8.1'
functions_loaded = True


def get_function_hooks():
    from .function_node import _hooks
    return _hooks


def get_array_types():
    import numpy
    return (numpy.ndarray,)


def is_arrays_compatible(arrays):
    import numpy
    return all([isinstance(a, numpy.ndarray) for a in arrays])


def get_cpu_array_types():
    import numpy
    return (numpy.ndarray,)


def should_use_cudnn(level, lowest_version=0):
    return False


def should_use_cudnn_tensor_core(dtype):
    return False


def get_compute_mode():
    return None


def print_runtime_info(out=None):
    pass


_LAZY = {
    'Optimizer': 'optimizer', 'GradientMethod': 'optimizer', 'UpdateRule': 'optimizer', 'AbstractSerializer': 'serializer', 'Serializer': 'serializer',
    'Deserializer': 'serializer', 'Distribution': 'distribution', 'cross_entropy': 'distribution', 'kl_divergence': 'distribution', 'register_kl': 'distribution',
}


def __getattr__(name):
    import importlib
    if name in _LAZY:
        return getattr(importlib.import_module('chainer.' + _LAZY[name]), name)
    if name in _MODULES:
        return importlib.import_module('chainer.' + name)
    raise AttributeError("module 'chainer' has no attribute '%s'" % name)


_MODULES = ('functions', 'links', 'optimizers', 'optimizer', 'optimizer_hooks', 'training', 'iterators', 'datasets', 'dataset', 'serializers', 'serializer',
            'distributions', 'distribution', 'function_hooks', 'utils', 'backends', 'initializer', 'reporter', 'variable', 'configuration', 'computational_graph',
            'sequential', 'link', 'function', 'function_node', 'graph_optimizations', 'device_resident')
