# This file keeps the modes that a program enters; the interpreter looks at them where
# it applies a function: 'device' is the default device, 'autocast:cpu' the dtype of
# autocast on the CPU.
import _shapecheck
import torch

active = {}
_shapecheck.modes(active)


def put(key, val):
    """Sets a mode, or ends it where val is None; gives what it was."""
    before = active.get(key)
    if val is None:
        active.pop(key, None)
    else:
        active[key] = val
    return before


# The dtypes to which autocast converts, by device.
fast_dtypes = {'cpu': torch.bfloat16, 'cuda': torch.float16, 'xpu': torch.float16, 'mps': torch.float16, 'hpu': torch.bfloat16,
               'mtia': torch.bfloat16, 'maia': torch.bfloat16, 'xla': torch.bfloat16}

# How operations compute, which changes no type: whether deterministically, whether a warning is enough, the precision of
# products of float32, whether products of float16 and bfloat16 may be summed in less, and the number of threads.
numerics = {'deterministic': False, 'warn_only': False, 'precision': 'highest', 'float16': True, 'bfloat16': True, 'threads': 1}

_devices = []


def enter_device(device):
    _devices.append(put('device', device))
    return device


def leave_device():
    put('device', _devices.pop())
