# This file is torch.xpu of a machine without that device.


def is_available():
    return False


def device_count():
    return 0


def synchronize():
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass
