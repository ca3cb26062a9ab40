# This file is torch.mps of a machine without that device.
import _shapecheck


def is_available():
    _shapecheck.set_option('devices-vary', 'yes')
    return False


def device_count():
    return 0


def synchronize():
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass


def seed():
    pass


def current_allocated_memory():
    return 0


driver_allocated_memory = recommended_max_memory = current_allocated_memory


def set_per_process_memory_fraction(fraction):
    pass
