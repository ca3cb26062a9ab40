# This file is torch.nn.parallel. Wrappers call their module on one device:
# splitting a batch over devices does not change what the model computes.
import _shapecheck
from ..modules.module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        _shapecheck.set_option('devices-vary', 'yes')  # it moves its inputs
        self.dim = dim
        self._modules['module'] = module  # which may be unknown
        self.device_ids = [] if device_ids is None else device_ids
        self.output_device = output_device

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, **kwargs):
        super().__init__()
        _shapecheck.set_option('devices-vary', 'yes')  # it moves its inputs
        self.dim = dim
        self._modules['module'] = module  # which may be unknown
        self.device_ids = device_ids
        self.output_device = output_device
        self.broadcast_buffers = broadcast_buffers

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def no_sync(self):
        import contextlib
        return contextlib.nullcontext()


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    _shapecheck.set_option('devices-vary', 'yes')
    if not isinstance(inputs, tuple):
        inputs = (inputs,)
    return module(*inputs, **(module_kwargs or {}))
