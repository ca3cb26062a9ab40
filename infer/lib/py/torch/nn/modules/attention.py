# This file defines MultiheadAttention, always by way of
# F.multi_head_attention_forward: the fused kernel gives the same types.
import _shapecheck
import torch
from .. import functional as F
from .linear import NonDynamicallyQuantizableLinear
from .module import Module


class MultiheadAttention(Module):
    """Attention of several heads over (L, N, E), or (N, L, E) with batch_first."""

    __module__ = 'torch.nn.modules.activation'

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False,
                 kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = (kdim is None or kdim == embed_dim) and (vdim is None or vdim == embed_dim)
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == self.embed_dim, f'embed_dim must be divisible by num_heads, but {embed_dim} is not divisible by {num_heads}'
        params = self._parameters
        new = _shapecheck.empty_param
        if self._qkv_same_embed_dim:
            self.in_proj_weight = new((3 * embed_dim, embed_dim), dtype, device)
            params['q_proj_weight'] = None
            params['k_proj_weight'] = None
            params['v_proj_weight'] = None
        else:
            self.q_proj_weight = new((embed_dim, embed_dim), dtype, device)
            self.k_proj_weight = new((embed_dim, self.kdim), dtype, device)
            self.v_proj_weight = new((embed_dim, self.vdim), dtype, device)
            params['in_proj_weight'] = None
        if bias:
            self.in_proj_bias = new((3 * embed_dim,), dtype, device)
        else:
            params['in_proj_bias'] = None
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        if add_bias_kv:
            self.bias_k = new((1, 1, embed_dim), dtype, device)
            self.bias_v = new((1, 1, embed_dim), dtype, device)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self.embed_dim == 0:
            raise ZeroDivisionError('float division by zero')
        _shapecheck.init('xavier_uniform', (1.0,), self.in_proj_weight, self.q_proj_weight, self.k_proj_weight,
                         self.v_proj_weight)
        _shapecheck.init('constant', (0.0,), self.out_proj.bias, self.in_proj_bias)
        _shapecheck.init('xavier_normal', (1.0,), self.bias_k, self.bias_v)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        if key_padding_mask is not None:
            if key_padding_mask.dtype != torch.bool and not torch.is_floating_point(key_padding_mask):
                raise AssertionError('only bool and floating types of key_padding_mask are supported')
        swap = self.batch_first and query.dim() == 3
        if swap:
            if key is value:
                if query is key:
                    query = key = value = query.transpose(1, 0)
                else:
                    query = query.transpose(1, 0)
                    key = value = key.transpose(1, 0)
            else:
                query = query.transpose(1, 0)
                key = key.transpose(1, 0)
                value = value.transpose(1, 0)
        out_proj = self.out_proj
        # Only versions that have the hint take it.
        hint = {'is_causal': True} if is_causal else {}
        if is_causal and attn_mask is not None and attn_mask.dtype != torch.bool and not torch.is_floating_point(attn_mask):
            raise AssertionError('only bool and floating types of attn_mask are supported')
        if self._qkv_same_embed_dim:
            out, weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, out_proj.weight, out_proj.bias,
                training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights,
                attn_mask=attn_mask, average_attn_weights=average_attn_weights, **hint)
        else:
            out, weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
                self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, out_proj.weight, out_proj.bias,
                training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights,
                attn_mask=attn_mask, use_separate_proj_weight=True, q_proj_weight=self.q_proj_weight,
                k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
                average_attn_weights=average_attn_weights, **hint)
        if swap:
            return out.transpose(1, 0), weights
        return out, weights
