# JAX: arrays (_core.py), traced functions (_jit.py), and the modules of functions. What is not
# here is unknown.
import _shapecheck
from . import _core
from ._core import Array
from ._jit import (jit, grad, value_and_grad, vmap, eval_shape, ShapeDtypeStruct, checkpoint, checkpoint as remat, named_call, custom as custom_jvp,
                   custom as custom_vjp, disable_jit, clear_caches, jacobian, jacobian as jacfwd, jacobian as jacrev, hessian, jvp, vjp)
from . import errors, tree_util, tree
from . import numpy, lax, random, nn, debug, core
from .tree_util import tree_map, tree_leaves, tree_flatten, tree_unflatten, tree_structure
from .experimental import io_callback as _io_callback
from . import _jit

__version__ = '0.10.2'


class _Config:
    jax_enable_x64 = property(lambda self: _core.state.x64)
    x64_enabled = jax_enable_x64

    def update(self, name, value):
        if name == 'jax_enable_x64':
            _core.state.x64 = value
        elif name == 'jax_disable_jit':
            _core.state.disabled = value

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('a setting of JAX')


config = _Config()


class enable_x64:
    def __init__(self, new_val=True):
        self.new = new_val

    def __enter__(self):
        self.old, _core.state.x64 = _core.state.x64, self.new

    def __exit__(self, *exc):
        _core.state.x64 = self.old


def pmap(fun, axis_name=None, in_axes=0, out_axes=0, static_broadcasted_argnums=(), **kw):
    return jit(vmap(fun, in_axes, out_axes))


def make_jaxpr(fun, **kw):
    def g(*args, **kw):
        _jit.abstractly(lambda *a: fun(*a, **kw), args)
        return _shapecheck.unknown('a jaxpr')
    return g


def pure_callback(callback, result_shape_dtypes, *args, sharding=None, vmap_method=None, **kw):
    return _io_callback(callback, result_shape_dtypes, *args, **kw)


def device_put(x, device=None, **kw):
    return tree_map(lambda v: _core.asarray(v), x)


def device_get(x):
    return tree_map(lambda v: v._a if isinstance(v, Array) else v, x)


def block_until_ready(x):
    return x


def effects_barrier():
    return None


def device_count(*args):
    return 1


local_device_count = device_count


def process_index(*args):
    return 0


def default_backend():
    return 'cpu'


def typeof(x):
    return _core.asarray(x)


def named_scope(name):
    import contextlib
    return contextlib.nullcontext()


def __getattr__(name):
    if name in ('scipy', 'dtypes', 'sharding', 'typing', 'profiler', 'monitoring', 'core', 'interpreters', 'image', 'ops'):
        return _shapecheck.unknown('jax.' + name)
    if name.startswith('__'):
        raise AttributeError("module 'jax' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.' + name)
