# This file is torch.cpu.


def is_available():
    return True


def device_count():
    return 1


def synchronize(device=None):
    pass


def current_device():
    return 'cpu'


def set_device(device):
    pass


def is_initialized():
    return True


class Stream:
    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        pass

    def record_event(self):
        pass

    def wait_event(self, event):
        pass


class Event:
    def __init__(self, *args, **kwargs):
        pass

    def record(self, stream=None):
        pass

    def query(self):
        return True

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass


def current_stream(device=None):
    return Stream()


class StreamContext:
    def __init__(self, stream):
        pass

    def __enter__(self):
        pass

    def __exit__(self, type, value, traceback):
        pass


stream = StreamContext
