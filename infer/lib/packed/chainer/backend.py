# This file is chainer.backend: which arrays are where.
import numpy


class Device:
    name = '@numpy'
    xp = numpy
    supported_array_types = (numpy.ndarray,)

    def __eq__(self, other):
        return type(self) is type(other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return '<%s (numpy)>' % type(self).__name__

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def use(self):
        pass

    def send(self, arrays):
        return arrays


class CpuDevice(Device):
    @staticmethod
    def from_array(array):
        return _cpu


class GpuDevice(Device):
    pass


class Intel64Device(Device):
    pass


class ChainerxDevice(Device):
    pass


_cpu = CpuDevice()


def get_device(device_spec=None):
    if isinstance(device_spec, Device):
        return device_spec
    return _cpu


def using_device(device_spec):
    return get_device(device_spec)


def get_array_module(*args):
    return numpy


def get_device_from_array(*arrays):
    return _cpu


def copyto(dst, src):
    dst[...] = src


def to_chx(array):
    return array


def from_chx(array):
    return array
