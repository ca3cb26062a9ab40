# This file saves and loads nothing: a link has the types that it has.
from .serializer import Deserializer, Serializer


def save_npz(file, obj, compression=True):
    pass


def load_npz(file, obj, path='', strict=True, ignore_names=None):
    pass


def save_hdf5(filename, obj, compression=4):
    pass


def load_hdf5(filename, obj):
    pass


class DictionarySerializer(Serializer):
    def __init__(self, target=None, path=''):
        self.target = target


class NpzDeserializer(Deserializer):
    def __init__(self, npz, path='', strict=True, ignore_names=None):
        self.npz = npz


class HDF5Serializer(Serializer):
    def __init__(self, group, compression=4):
        self.group = group


class HDF5Deserializer(Deserializer):
    def __init__(self, group, strict=True):
        self.group = group
