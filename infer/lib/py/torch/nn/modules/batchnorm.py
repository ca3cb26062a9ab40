# This file defines batch normalisation.
import _shapecheck
import torch
from .. import functional as F
from ..parameter import UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .utils import _wrong_rank


class _NormBase(Module):
    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                 dtype=None):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = _shapecheck.empty_param((num_features,), dtype, device)
            self.bias = _shapecheck.empty_param((num_features,), dtype, device)
        else:
            self._parameters['weight'] = None
            self._parameters['bias'] = None
        buffers = self._buffers
        if track_running_stats:
            buffers['running_mean'] = _shapecheck.empty_buffer((num_features,), dtype, device)
            buffers['running_var'] = _shapecheck.empty_buffer((num_features,), dtype, device)
            buffers['num_batches_tracked'] = _shapecheck.empty_buffer((), torch.int64, device)
        else:
            buffers['running_mean'] = None
            buffers['running_var'] = None
            buffers['num_batches_tracked'] = None
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            _shapecheck.init('constant', (0.0,), self.running_mean, self.num_batches_tracked)
            _shapecheck.init('constant', (1.0,), self.running_var)

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            _shapecheck.init('constant', (1.0,), self.weight)
            _shapecheck.init('constant', (0.0,), self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (f'{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, '
                f'track_running_stats={self.track_running_stats}')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        version = local_metadata.get('version', None)
        if (version is None or version < 2) and self.track_running_stats:
            # Checkpoints older than the counter lack it.
            state_dict.setdefault(prefix + 'num_batches_tracked', self.num_batches_tracked)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    def forward(self, input):
        self._check_input_dim(input)
        training = self.training
        momentum = self.momentum
        tracked = not training or self.track_running_stats
        if momentum is None:
            momentum = 0.0
        if training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        return F.batch_norm(input, self.running_mean if tracked else None, self.running_var if tracked else None,
                            self.weight, self.bias,
                            training or self.running_mean is None and self.running_var is None, momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    """Batch normalisation over (N, C) or (N, C, L)."""

    def _check_input_dim(self, input):
        if input.dim() != 2 and input.dim() != 3:
            raise _wrong_rank(ValueError, f'expected 2D or 3D input (got {input.dim()}D input)')


class BatchNorm2d(_BatchNorm):
    """Batch normalisation over (N, C, H, W)."""

    def _check_input_dim(self, input):
        if input.dim() != 4:
            raise _wrong_rank(ValueError, f'expected 4D input (got {input.dim()}D input)')


class BatchNorm3d(_BatchNorm):
    """Batch normalisation over (N, C, D, H, W)."""

    def _check_input_dim(self, input):
        if input.dim() != 5:
            raise _wrong_rank(ValueError, f'expected 5D input (got {input.dim()}D input)')


class _LazyNormBase(LazyModuleMixin, _NormBase):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = _shapecheck.empty_buffer((), torch.int64, device)

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            shape = (self.num_features,)
            if self.affine:
                self.weight.materialize(shape)
                self.bias.materialize(shape)
            if self.track_running_stats:
                self.running_mean.materialize(shape)
                self.running_var.materialize(shape)
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm1d
    _check_input_dim = BatchNorm1d._check_input_dim


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm2d
    _check_input_dim = BatchNorm2d._check_input_dim


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm3d
    _check_input_dim = BatchNorm3d._check_input_dim


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation whose statistics span several processes; GPU only."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 process_group=None, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise _wrong_rank(ValueError, f'expected at least 2D input (got {input.dim()}D input)')

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        result = module
        if isinstance(module, _BatchNorm):
            result = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats,
                         process_group)
            if module.affine:
                result.weight = module.weight
                result.bias = module.bias
            result.running_mean = module.running_mean
            result.running_var = module.running_var
            result.num_batches_tracked = module.num_batches_tracked
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result
