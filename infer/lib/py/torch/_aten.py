# This file holds operators of aten that torch has under another name, or not at all.
import torch


def _safe_softmax(self, dim, dtype=None):
    return torch.softmax(self, dim, dtype=dtype)


def sym_size(self, dim):
    return self.size(dim)


def sym_numel(self):
    return self.numel()


def _unsafe_view(self, size):
    return self.view(size)


def _scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    if query.dtype not in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        raise RuntimeError(f'scaled_dot_product_attention_flash_attention: Expected data type in FP32, FP64, BF16, FP16, but got {query.dtype} instead.')
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise RuntimeError('scaled_dot_product_attention_flash_attention: Accept only 4 dims inputs shape of {B, H, T, K}')
    if dropout_p != 0.0:
        raise RuntimeError(f'scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0, but it is {dropout_p}')
    if query.size(3) != value.size(3) or key.size(3) != value.size(3):
        raise RuntimeError('scaled_dot_product_attention_flash_attention: Q/K/V should have the same head size')
    for t in (key, value):
        if t.dtype != query.dtype:
            raise RuntimeError(f'expected scalar type {query.dtype} but found {t.dtype}')
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 4):
            raise RuntimeError('scaled_dot_product_attention_flash_attention: Attention mask dim in {2, 4}')
        attn_mask.expand(query.size(0) if attn_mask.dim() == 4 else 1, query.size(1) if attn_mask.dim() == 4 else 1, query.size(2), value.size(2))
    b, h, n, _ = query.shape
    sums = torch.zeros(b, n, h, dtype=torch.float64 if query.dtype == torch.float64 else torch.float32).transpose(1, 2)
    what = 'the attention of one kernel'
    return torch._stand_in(torch.zeros(query.shape, dtype=query.dtype), what=what), torch._stand_in(sums, what=what)
