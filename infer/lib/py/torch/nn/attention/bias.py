# This file is torch.nn.attention.bias: causal masks as the tensors that they stand
# for. From the documentation of PyTorch 2.6.
from enum import IntEnum
import _shapecheck
import torch


class CausalVariant(IntEnum):
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(torch.Tensor):
    """The mask; PyTorch's own has no elements, and the variant's number as its first size."""

    def __new__(cls, variant, seq_len_q, seq_len_kv):
        diagonal = 0 if variant == CausalVariant.UPPER_LEFT else seq_len_kv - seq_len_q
        mask = torch.tril(torch.ones(seq_len_q, seq_len_kv, dtype=torch.bool), diagonal=diagonal)
        bias = _shapecheck.make_parameter(cls, mask, False)
        bias.variant, bias.seq_len_q, bias.seq_len_kv = variant, seq_len_q, seq_len_kv
        return bias

    @property
    def shape(self):
        return torch.Size([int(self.variant), self.seq_len_q, self.seq_len_kv])


def causal_upper_left(*size):
    assert len(size) == 2, 'causal_upper_left only supports 2D tensors'
    return CausalBias(CausalVariant.UPPER_LEFT, size[0], size[1])


def causal_lower_right(*size):
    assert len(size) == 2, 'causal_lower_right only supports 2D tensors'
    return CausalBias(CausalVariant.LOWER_RIGHT, size[0], size[1])
