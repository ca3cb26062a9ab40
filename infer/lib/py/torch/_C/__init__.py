# This file is torch._C: what Python code of libraries asks of it by name.
from .. import Tensor


def _log_api_usage_once(message):
    pass


def _jit_set_profiling_executor(mode):
    pass


def _jit_set_profiling_mode(mode):
    pass


def _jit_override_can_fuse_on_cpu(mode):
    pass


def _jit_override_can_fuse_on_gpu(mode):
    pass


def _jit_set_texpr_fuser_enabled(mode):
    pass


def _jit_set_nvfuser_enabled(mode):
    pass


def _set_print_stack_traces_on_fatal_signal(mode):
    pass


def _get_tracing_state():
    return None


def _is_tracing():
    return False


def _cuda_getDeviceCount():
    return 0


def _set_grad_enabled(enabled):
    pass


def _are_functorch_transforms_active():
    from .._vmap import is_transforming
    return is_transforming()
