# This file is the Python part of torch: modes, seeds, settings and what only
# hands its argument on. Tensors, dtypes and devices are native; functions are
# operator records.
import _shapecheck
from math import e, inf, nan, pi
from . import version
from ._grad_mode import enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad, set_grad_enabled
from ._info import finfo, iinfo
from ._random import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from ._sizes import sym_constrain_range, sym_float, sym_int, sym_ite, sym_max, sym_min, sym_not, sym_sqrt, sym_sum, unravel_index


def typename(o):
    if isinstance(o, Tensor):
        names = {float32: 'Float', float64: 'Double', float16: 'Half', bfloat16: 'BFloat16', int64: 'Long', int32: 'Int',
                 int16: 'Short', int8: 'Char', uint8: 'Byte', bool: 'Bool'}
        return 'torch.' + names.get(o.dtype, '') + 'Tensor'
    cls = o if isinstance(o, type) else type(o)
    if cls.__module__ in ('builtins', '__builtin__', '', None):
        return cls.__qualname__
    return cls.__module__ + '.' + cls.__qualname__


# A device is a context manager: what is made inside is made on it.
def _enter_device(self):
    from ._modes import enter_device
    return enter_device(self)


def _leave_device(self, *exception):
    from ._modes import leave_device
    leave_device()


_device = device
_device.__enter__, _device.__exit__ = _enter_device, _leave_device


def is_storage(obj):
    return False


def get_default_device():
    from ._modes import active
    return active.get('device', device('cpu'))


def set_default_device(device):
    from ._modes import put
    _shapecheck.set_option('devices-vary', 'yes')
    put('device', None if device is None else _device(device))


def set_default_dtype(d):
    _shapecheck.set_option('default-dtype', d)


def set_default_tensor_type(t):
    if isinstance(t, str):
        t = __getattr__(t.rpartition('.')[2])
    _shapecheck.set_option('devices-vary', 'yes')
    set_default_dtype(t.dtype)


# Compilers leave the types as they are.
def compile(model=None, *, fullgraph=False, dynamic=None, backend='inductor', mode=None, options=None, disable=False):
    if model is None:
        return lambda m: compile(m, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable)
    if disable or not _shapecheck.jit_records():
        return model
    from ._compiled import compiled
    return compiled(model, fullgraph, dynamic, (backend, mode, options))


# Conditions that a program states: known afterwards, and a part of the contract.
def _check_with(error, cond, message=None):
    if isinstance(cond, Tensor):
        raise TypeError('cond must be a bool, but got a tensor')
    if not cond:
        raise error('Expected cond to be True, but got False' if message is None else str(message() if callable(message) else message))


def _check(cond, message=None):
    _check_with(RuntimeError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    _check_with(RuntimeError, i >= 0, message)
    if max is not None:
        _check_with(RuntimeError, i <= max, message)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    _check_with(NotImplementedError, cond, message)


# Of a tensor whose elements are not known, nothing is.
def _check_tensor_all_with(error, cond, message=None):
    if not isinstance(cond, Tensor):
        raise TypeError(f'cond must be a tensor, but got {type(cond)}')
    if cond.dtype != bool:
        raise TypeError(f'cond tensor must have dtype torch.bool, but got {cond.dtype}')
    all_true = cond.all().item()
    if not _shapecheck.is_symbolic(all_true) and not _shapecheck.is_unknown(all_true):
        _check_with(error, all_true, message)


def _check_tensor_all(cond, message=None):
    _check_tensor_all_with(RuntimeError, cond, message)


# Control flow: as called eagerly.
def cond(pred, true_fn, false_fn, operands=()):
    if _shapecheck.get_option('exporting') in ('yes', 'export', 'strict', 'compile'):
        from ._higher_order_ops import exported_cond
        return exported_cond(pred, true_fn, false_fn, operands)
    return true_fn(*operands) if pred else false_fn(*operands)


def while_loop(cond_fn, body_fn, carried_inputs):
    from ._higher_order_ops import while_loop as run
    return run(cond_fn, body_fn, carried_inputs)


# Of files of the project the headers are read: types and sizes, no elements.
def save(obj, f, *args, **kwargs):
    _shapecheck.writes_file(f)


def _tensor_of_file(dtype, shape, path):
    return _shapecheck.init('unknown', ('the file ' + path,), empty(shape, dtype=dtype))


def _load(f, what, formats):
    found = _shapecheck.project_arrays(f, _tensor_of_file)
    if _shapecheck.is_unknown(found):
        return found
    if found is None or found[0] not in formats:
        return _shapecheck.unknown(what if found is None or found[0] else f'{what}: {found[1]}')
    return found[1]


def load(f, *args, **kwargs):
    return _load(f, 'what torch.load reads from a file', ('torch',))


def _ignored(*args, **kwargs):
    pass


def _numerics():
    from ._modes import numerics
    return numerics


def use_deterministic_algorithms(mode, *, warn_only=False):
    _numerics().update(deterministic=True if mode else False, warn_only=True if warn_only else False)


def are_deterministic_algorithms_enabled():
    return _numerics()['deterministic']


def is_deterministic_algorithms_warn_only_enabled():
    return _numerics()['warn_only']


def set_deterministic_debug_mode(debug_mode):
    level = {'default': 0, 'warn': 1, 'error': 2}.get(debug_mode, debug_mode)
    use_deterministic_algorithms(level > 0, warn_only=level == 1)


def get_deterministic_debug_mode():
    now = _numerics()
    return 0 if not now['deterministic'] else 1 if now['warn_only'] else 2


def set_float32_matmul_precision(precision):
    _numerics()['precision'] = precision


def get_float32_matmul_precision():
    return _numerics()['precision']


def set_num_threads(n):
    _numerics()['threads'] = n


def get_num_threads():
    return _numerics()['threads']


set_num_interop_threads = _ignored
set_printoptions = _ignored
set_flush_denormal = _ignored
set_warn_always = _ignored
set_anomaly_enabled = _ignored
clear_autocast_cache = _ignored
set_autocast_cache_enabled = _ignored
set_vital = _ignored
_assert_async = _ignored


def _assert(condition, message):
    assert condition, message


def _no(*args, **kwargs):
    return False


is_autocast_cache_enabled = _no
is_anomaly_enabled = _no
is_warn_always_enabled = _no
is_vulkan_available = _no
compiled_with_cxx11_abi = _no


def get_num_interop_threads():
    return 1


def is_autocast_enabled(device_type='cuda'):
    from .amp import is_enabled
    return is_enabled(device_type)


def is_autocast_cpu_enabled():
    return is_autocast_enabled('cpu')


def set_autocast_enabled(device_type, enabled=None):
    from .amp import set_enabled
    if enabled is None:
        device_type, enabled = 'cuda', device_type
    set_enabled(device_type, enabled)


def set_autocast_cpu_enabled(enabled):
    set_autocast_enabled('cpu', enabled)


def get_autocast_dtype(device_type):
    from .amp import fast_dtype
    return fast_dtype(device_type)


def get_autocast_gpu_dtype():
    return get_autocast_dtype('cuda')


def get_autocast_cpu_dtype():
    return get_autocast_dtype('cpu')


def set_autocast_dtype(device_type, dtype):
    from .amp import set_fast_dtype
    set_fast_dtype(device_type, dtype)


def set_autocast_gpu_dtype(dtype):
    set_autocast_dtype('cuda', dtype)


def set_autocast_cpu_dtype(dtype):
    set_autocast_dtype('cpu', dtype)


def get_file_path(*path_components):
    return '/'.join(path_components)


def vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None):
    from ._vmap import vmap
    return vmap(func, in_dims, out_dims, randomness)


def __getattr__(name):
    if name == '__version__':
        from . import torch_version
        return torch_version.__version__
    if name == 'autocast':
        from .amp import autocast
        return autocast
    if name.endswith('Tensor') or name.endswith('Storage'):
        from . import _legacy
        if hasattr(_legacy, name):
            return getattr(_legacy, name)
    if name in ('ScriptModule', 'ScriptFunction'):
        from . import jit
        return getattr(jit, name)
    if name == 'Stream' or name == 'Event':
        from . import cuda
        return getattr(cuda, name)
    if name != 'ops' and not name.startswith('__'):
        from . import _recent
        if name in vars(_recent):
            return vars(_recent)[name]
        if name.startswith('_foreach_'):
            return _recent.foreach(name[len('_foreach_'):])
    raise AttributeError(f"module 'torch' has no attribute {name!r}")
