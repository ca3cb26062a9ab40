# This file is torch.cuda of a machine that has one GPU, or none with --device cpu.
import contextlib
import _shapecheck
from .._random import get_rng_state, initial_seed, seed, set_rng_state

default_generators = ()


def is_available():
    # Who asks makes tensors where there is room: on another machine elsewhere.
    _shapecheck.set_option('devices-vary', 'yes')
    return _shapecheck.get_option('device') == 'cuda'


def is_current_stream_capturing():
    return False


def is_initialized():
    return False


def is_bf16_supported(including_emulation=True):
    return is_available()


def device_count():
    return 1 if is_available() else 0


def current_device():
    return 0


def _of_gpu(what, without):
    return _shapecheck.unknown(what + ' of the GPU') if is_available() else without


def get_device_name(device=None):
    return _of_gpu('the name', '')


def get_device_capability(device=None):
    return _of_gpu('the capability', (0, 0))


def get_device_properties(device=None):
    return _of_gpu('properties', None)


def get_arch_list():
    return _of_gpu('the architectures', [])


def _ignored(*args, **kwargs):
    pass


set_device = _ignored
synchronize = _ignored
empty_cache = _ignored
ipc_collect = _ignored
init = _ignored
manual_seed = _ignored
manual_seed_all = _ignored
seed_all = _ignored
reset_peak_memory_stats = _ignored
reset_max_memory_allocated = _ignored
reset_max_memory_cached = _ignored
set_per_process_memory_fraction = _ignored
set_stream = _ignored


def _zero(*args, **kwargs):
    return _of_gpu('memory', 0)


memory_allocated = _zero
max_memory_allocated = _zero
memory_reserved = _zero
max_memory_reserved = _zero
memory_cached = _zero
max_memory_cached = _zero
utilization = _zero


def memory_summary(device=None, abbreviated=False):
    return _of_gpu('memory', '')


def memory_stats(device=None):
    return _of_gpu('memory', {})


def mem_get_info(device=None):
    return (_zero(), _zero())


def get_rng_state_all():
    return []


class Stream:
    def __init__(self, device=None, priority=0, **kwargs):
        self.device = device

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def synchronize(self):
        pass

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        return event

    def query(self):
        return True


ExternalStream = Stream


class Event:
    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        pass

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True

    def elapsed_time(self, end_event):
        return 0.0


def current_stream(device=None):
    return Stream()


default_stream = current_stream


@contextlib.contextmanager
def stream(stream):
    yield


@contextlib.contextmanager
def device(device):
    yield


device_of = device


class CUDAGraph:
    def replay(self):
        pass


@contextlib.contextmanager
def graph(cuda_graph, pool=None, stream=None):
    yield


def make_graphed_callables(callables, sample_args, **kwargs):
    return callables


class OutOfMemoryError(RuntimeError):
    pass


def __getattr__(name):
    from .. import _legacy
    if name.endswith('Tensor') and hasattr(_legacy, name):
        return getattr(_legacy, name)
    raise AttributeError(f"module 'torch.cuda' has no attribute {name!r}")
