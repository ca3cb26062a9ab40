# This file is torch.nn.utils.
from . import rnn
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .convert_parameters import parameters_to_vector, vector_to_parameters
from .init import skip_init
from .spectral_norm import remove_spectral_norm, spectral_norm
from .weight_norm import remove_weight_norm, weight_norm


def convert_conv2d_weight_memory_format(module, memory_format):
    return module


def convert_conv3d_weight_memory_format(module, memory_format):
    return module


def fuse_conv_bn_eval(conv, bn, transpose=False):
    import copy
    fused = copy.deepcopy(conv)
    if fused.bias is None:
        from ..parameter import Parameter
        import torch
        fused.bias = Parameter(torch.zeros(bn.num_features))
    return fused


def fuse_linear_bn_eval(linear, bn):
    return fuse_conv_bn_eval(linear, bn)
