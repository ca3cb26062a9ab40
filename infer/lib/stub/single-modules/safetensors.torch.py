# Tensors in files: of those of the project the headers are read.
import torch as _torch
from _shapecheck import unknown as _unknown, writes_file as _writes_file


def load_file(filename, device='cpu', **kwargs):
    return _torch._load(filename, 'the tensors of a safetensors file', ('safetensors',))


def load(data):
    return _unknown('the tensors of a safetensors file')


def save(tensors, metadata=None):
    return _unknown('the bytes of a safetensors file')


def save_file(tensors, filename, metadata=None):
    _writes_file(filename)


def save_model(model, filename, metadata=None, force_contiguous=True):
    _writes_file(filename)


def load_model(model, filename, strict=True, device='cpu'):
    # Without the file the model keeps its sizes.
    model.load_state_dict(load_file(filename), strict=False)
    return _unknown('which names a safetensors file lacks'), _unknown('which names a model lacks')
