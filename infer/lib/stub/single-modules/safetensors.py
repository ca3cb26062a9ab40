# Tensors in files, one at a time: of those of the project the headers are read.
import torch as _torch
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


class SafetensorError(Exception):
    pass


class _Slice:
    # A tensor of which parts are read.
    def __init__(self, tensor):
        self._tensor = tensor

    def get_shape(self):
        return list(self._tensor.shape)

    def get_dtype(self):
        return _unknown('the name of a type in a safetensors file')

    def __getitem__(self, index):
        return self._tensor[index]


class safe_open:
    def __init__(self, filename, framework, device='cpu'):
        self._tensors = _torch._load(filename, 'the tensors of a safetensors file', ('safetensors',))
        if _is_unknown(framework) or framework not in ('pt', 'torch', 'pytorch'):
            self._tensors = _unknown('the tensors of a safetensors file for another library')

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def metadata(self):
        return _unknown('the metadata of a safetensors file')

    def keys(self):
        return _unknown('the names in a safetensors file') if _is_unknown(self._tensors) else sorted(self._tensors)

    offset_keys = keys

    def get_tensor(self, name):
        if _is_unknown(self._tensors):
            return self._tensors
        if name not in self._tensors:
            raise SafetensorError(f'File does not contain tensor {name}')
        return self._tensors[name]

    def get_slice(self, name):
        tensor = self.get_tensor(name)
        return tensor if _is_unknown(tensor) else _Slice(tensor)
