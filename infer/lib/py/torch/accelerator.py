# This file is torch.accelerator of a machine that has none.


def is_available():
    return False


def device_count():
    return 0


def current_accelerator(check_available=False):
    return None


def current_device_index():
    raise RuntimeError('Cannot access accelerator device when none is available.')


current_device_idx = current_device_index


def current_stream(device=None):
    raise RuntimeError('Cannot access accelerator device when none is available.')


def _ignored(*args, **kwargs):
    pass


set_device_index = set_device_idx = set_stream = synchronize = _ignored
empty_cache = reset_peak_memory_stats = _ignored


class device_index:
    def __init__(self, device, /):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *exc_info):
        pass


reset_accumulated_memory_stats = _ignored


def _nothing(*args, **kwargs):
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _nothing
