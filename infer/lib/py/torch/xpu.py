# This file is torch.xpu of a machine without that device.
import _shapecheck


def is_available():
    _shapecheck.set_option('devices-vary', 'yes')
    return False


def is_current_stream_capturing():
    return False


def device_count():
    return 0


def synchronize():
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass


def is_initialized():
    return False


def current_device():
    raise RuntimeError('No XPU devices are available.')


def is_bf16_supported(including_emulation=True):
    return False


def _ignored(*args, **kwargs):
    pass


set_device = manual_seed_all = reset_peak_memory_stats = reset_accumulated_memory_stats = init = _ignored


def _nothing(*args, **kwargs):
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _nothing
