# This file saves and loads: what the program itself saved, and files of the project, whose headers say the types. Of
# other files nothing is known: then a parameter without a shape has the shape of the next call.
import _shapecheck
import numpy
from .serializer import Deserializer, Serializer


class DictionarySerializer(Serializer):
    def __init__(self, target=None, path=''):
        self.target = {} if target is None else target
        self.path = path

    def __getitem__(self, key):
        return DictionarySerializer(self.target, self.path + key.strip('/') + '/')

    def __call__(self, key, value):
        key = key.lstrip('/')
        self.target[self.path + key] = numpy.asarray(value)
        return value


class _FileSerializer(DictionarySerializer):
    """What a file is made of: None is kept as such, while it is an array of objects in a dictionary."""

    def __getitem__(self, key):
        return _FileSerializer(self.target, self.path + key.strip('/') + '/')

    def __call__(self, key, value):
        if value is None:
            self.target[self.path + key.lstrip('/')] = None
            return value
        return super().__call__(key, value)


class NpzDeserializer(Deserializer):
    def __init__(self, npz, path='', strict=True, ignore_names=None):
        self.npz = npz
        self.path = path
        self.strict = strict
        self.ignore_names = [] if ignore_names is None else ignore_names if isinstance(ignore_names, (list, tuple)) else [ignore_names]

    def __getitem__(self, key):
        return NpzDeserializer(self.npz, self.path + key.strip('/') + '/', self.strict, self.ignore_names)

    def __call__(self, key, value):
        key = self.path + key.lstrip('/')
        if not self.strict and key not in self.npz:
            return value
        for ignored in self.ignore_names:
            if key == ignored if isinstance(ignored, str) else ignored(key):
                return value
        found = self.npz[key]
        if found is None or value is None:
            return found
        if isinstance(value, numpy.ndarray):
            numpy.copyto(value, found)
        elif isinstance(value, (bool, int, float, str)):
            return type(value)(found)
        return value


class _UnknownDeserializer(Deserializer):
    """Reads a file of which nothing is known: arrays keep their types, numbers are some, what has no type yet is unknown."""

    def __init__(self, file):
        self.file = file

    def __getitem__(self, key):
        return self

    def __call__(self, key, value):
        if isinstance(value, (bool, numpy.bool_)):
            return _shapecheck.data_int(key, 0, 1) == 1
        if isinstance(value, (int, numpy.integer)):
            return _shapecheck.data_int(key)
        return self.file if value is None else value


def save_npz(file, obj, compression=True):
    serializer = _FileSerializer()
    serializer.save(obj)
    numpy._keep_npz(numpy._file_key(file), serializer.target)
    if isinstance(file, str):
        _shapecheck.writes_file(file)


def load_npz(file, obj, path='', strict=True, ignore_names=None):
    npz = numpy.load(file)
    (_UnknownDeserializer(npz) if _shapecheck.is_unknown(npz) else NpzDeserializer(npz, path, strict, ignore_names)).load(obj)


def save_hdf5(filename, obj, compression=4):
    save_npz(filename, obj)


def load_hdf5(filename, obj):
    kept = numpy._saved.get(numpy._file_key(filename))
    found = None if kept is None else kept[1]
    if found is None:
        file = _shapecheck.project_arrays(filename, lambda dtype, shape, path: numpy._array_of_file(shape, dtype))
        if _shapecheck.is_unknown(file):
            return _UnknownDeserializer(file).load(obj)
        found = file[1] if file is not None and file[0] == 'hdf5' else None
    if found is not None:
        NpzDeserializer(found, strict=False).load(obj)


class HDF5Serializer(Serializer):
    def __init__(self, group, compression=4):
        self.group = group

    def save(self, obj):
        pass


class HDF5Deserializer(Deserializer):
    def __init__(self, group, strict=True):
        self.group = group

    def load(self, obj):
        pass
