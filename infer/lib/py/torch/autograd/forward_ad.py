# This file is torch.autograd.forward_ad.
import contextlib
from collections import namedtuple

UnpackedDualTensor = namedtuple('UnpackedDualTensor', ['primal', 'tangent'])


@contextlib.contextmanager
def dual_level():
    yield 0


def make_dual(tensor, tangent, *, level=None):
    return tensor


def unpack_dual(tensor, *, level=None):
    return UnpackedDualTensor(tensor, tensor.detach())
