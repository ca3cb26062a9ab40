# This file defines the clipping of gradients: gradients are not modelled, only
# the norm that is returned.
import torch


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return torch.tensor(0.0)


clip_grad_norm = clip_grad_norm_


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return torch.tensor(0.0)


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    pass


def clip_grad_value_(parameters, clip_value, foreach=None):
    pass
