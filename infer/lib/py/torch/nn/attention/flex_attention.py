# This file is torch.nn.attention.flex_attention: attention whose scores a function
# of the user's changes. The function is not run: it works on single scores. From
# the documentation of PyTorch 2.6.
import torch
import torch.nn.functional as F


class BlockMask:
    def __init__(self, seq_lengths, batch, heads, block_size, mask_mod):
        self.seq_lengths = seq_lengths
        self.shape = (batch, heads, *seq_lengths)
        self.BLOCK_SIZE = block_size
        self.mask_mod = mask_mod

    def to(self, device):
        return self

    def numel(self):
        b, h, q, kv = self.shape
        return b * h * q * kv


def noop_mask(batch, head, token_q, token_kv):
    return batch.new_ones(size=(), dtype=torch.bool)


def and_masks(*mask_mods):
    def and_mask(b, h, q_idx, kv_idx):
        result = b.new_ones((), dtype=torch.bool)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result
    return and_mask


def or_masks(*mask_mods):
    def or_mask(b, h, q_idx, kv_idx):
        result = b.new_zeros((), dtype=torch.bool)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result
    return or_mask


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device='cuda'):
    return torch.ones(1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN, dtype=torch.bool, device=device)


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device='cuda', BLOCK_SIZE=128, _compile=False):
    block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    return BlockMask((Q_LEN, KV_LEN), 1 if B is None else B, 1 if H is None else H, block, mask_mod)


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None):
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise ValueError('query, key and value must be 4D tensors: (batch, heads, length, channels)')
    out = F.scaled_dot_product_attention(query, key, value, scale=scale, enable_gqa=enable_gqa)
    if not return_lse:
        return out
    return out, torch.logsumexp(query.float(), dim=-1)
