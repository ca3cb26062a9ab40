# This file is torch.distributed.tensor: tensors of a single process are not distributed.
import _shapecheck


class DTensor:
    @staticmethod
    def from_local(local, *args, **kwargs):
        return _shapecheck.unknown('what is distributed over processes')


class Placement:
    pass


class Shard(Placement):
    def __init__(self, dim=0):
        self.dim = dim


class Replicate(Placement):
    pass


class Partial(Placement):
    def __init__(self, reduce_op='sum'):
        self.reduce_op = reduce_op


def distribute_tensor(tensor, *args, **kwargs):
    return _shapecheck.unknown('what is distributed over processes')


def distribute_module(module, *args, **kwargs):
    return module


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('what is distributed over processes')
