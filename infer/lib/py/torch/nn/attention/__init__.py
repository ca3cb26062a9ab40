# This file is torch.nn.attention: which kernel computes an attention. It does not
# change a type. From the documentation of PyTorch 2.6.
import contextlib
from enum import Enum


class SDPBackend(Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError('Backend must be an instance of SDPBackend or a list of SDPBackend instances')
    yield {}


WARN_FOR_UNFUSED_KERNELS = False


class SDPAParams:
    pass


def can_use_flash_attention(params, debug=False):
    return False


can_use_efficient_attention = can_use_cudnn_attention = can_use_flash_attention


def list_flash_attention_impls():
    return []


def current_flash_attention_impl():
    return None
