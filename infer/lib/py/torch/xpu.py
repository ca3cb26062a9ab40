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
