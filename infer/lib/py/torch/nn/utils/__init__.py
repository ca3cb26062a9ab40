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


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    from ..parameter import Parameter
    return Parameter(conv_w.data), Parameter(bn_rm.data if conv_b is None else conv_b.data)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    import copy
    fused = copy.deepcopy(conv)
    fused.weight, fused.bias = fuse_conv_bn_weights(conv.weight, conv.bias, bn.running_mean, bn.running_var, bn.eps,
                                                    bn.weight, bn.bias, transpose)
    return fused


def fuse_linear_bn_eval(linear, bn):
    return fuse_conv_bn_eval(linear, bn)
