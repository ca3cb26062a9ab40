# This file is chainer.backends.cuda on a machine without GPUs.
import numpy

available = False
cudnn_enabled = False
cupy = None


class ndarray:
    pass


class _Dummy:
    id = -1

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def use(self):
        pass

    def synchronize(self):
        pass

    def __int__(self):
        return -1


Device = _Dummy
DummyDeviceType = _Dummy
DummyDevice = _Dummy()


def get_array_module(*args):
    return numpy


def get_device(*args):
    return DummyDevice


def get_device_from_id(device_id):
    return DummyDevice


def get_device_from_array(*arrays):
    return DummyDevice


def check_cuda_available():
    raise RuntimeError('CUDA environment is not correctly set up: only the CPU is modelled')


def to_cpu(array, stream=None):
    return array


def to_gpu(array, device=None, stream=None):
    return array


def copy(array, out=None, out_device=None, stream=None):
    return array.copy()


def memoize(for_each_device=False):
    return lambda f: f


def clear_memo():
    pass


def should_use_cudnn(level, lowest_version=0):
    return False
