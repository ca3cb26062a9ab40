# This file is torch.nn.attention.bias: causal masks as the tensors that they stand
# for. From the documentation of PyTorch 2.6.
import torch


def causal_upper_left(*size):
    assert len(size) == 2, 'causal_upper_left only supports 2D tensors'
    return torch.tril(torch.ones(size[0], size[1], dtype=torch.bool))


def causal_lower_right(*size):
    assert len(size) == 2, 'causal_lower_right only supports 2D tensors'
    return torch.tril(torch.ones(size[0], size[1], dtype=torch.bool), diagonal=size[1] - size[0])
