# This file is torch.nn.attention.flex_attention: attention whose scores a function
# of the user's changes. That function is not run: it works on single scores. A mask is
# computed for all places at once, as functions of places broadcast. From the
# documentation of PyTorch 2.6.
import torch
import torch.nn.functional as F
from collections import namedtuple

AuxRequest = namedtuple('AuxRequest', ['lse', 'max_scores'], defaults=(False, False))
AuxOutput = namedtuple('AuxOutput', ['lse', 'max_scores'], defaults=(None, None))


class BlockMask:
    def __init__(self, seq_lengths, batch, heads, block_size, mask_mod, device):
        self.seq_lengths = seq_lengths
        self.shape = (batch, heads, *seq_lengths)
        self.BLOCK_SIZE = block_size
        self.mask_mod = mask_mod
        self._device = device

    def to(self, device):
        return self

    def numel(self):
        b, h, q, kv = self.shape
        return b * h * q * kv

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def __getattr__(self, name):
        if name.startswith('__') or name not in ('kv_num_blocks', 'kv_indices', 'full_kv_num_blocks', 'full_kv_indices', 'q_num_blocks',
                                                 'q_indices', 'full_q_num_blocks', 'full_q_indices'):
            raise AttributeError(f"'BlockMask' object has no attribute {name!r}")
        b, h, q, kv = self.shape
        rows, columns = -(-q // self.BLOCK_SIZE[0]), -(-kv // self.BLOCK_SIZE[1])
        if '_q_' in name or name.startswith('q_'):
            rows, columns = columns, rows
        sizes = (b, h, rows) if name.endswith('num_blocks') else (b, h, rows, columns)
        return torch._stand_in(torch.zeros(sizes, dtype=torch.int32, device=self._device), what='the blocks of a BlockMask')


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
    B = 1 if B is None else B
    H = 1 if H is None else H
    places = [torch.arange(n, device=device).view([-1 if i == j else 1 for j in range(4)]) for i, n in enumerate((B, H, Q_LEN, KV_LEN))]
    return mod_fn(*places).expand(B, H, Q_LEN, KV_LEN)


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device='cuda', BLOCK_SIZE=128, _compile=False):
    block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    return BlockMask((Q_LEN, KV_LEN), 1 if B is None else B, 1 if H is None else H, block, mask_mod, device)


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None, *, return_aux=None):
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise ValueError('query, key and value must be 4D tensors: (batch, heads, length, channels)')
    if query.size(-1) != key.size(-1):
        raise ValueError(f'Expect query and key/value to have the same embedding dimension but got E={query.size(-1)} and E={key.size(-1)}.')
    if not enable_gqa and query.size(-3) != key.size(-3):
        raise ValueError(f'Expect query and key/value to have the same number of heads but got Hq={query.size(-3)} and Hkv={key.size(-3)}. '
                         'Try setting enable_gqa=True for GQA.')
    if block_mask is not None and (block_mask.shape[-2] < query.size(-2) or block_mask.shape[-1] < key.size(-2)):
        raise ValueError('block_mask was created for a smaller length than it is used for: create a new block mask')
    out = F.scaled_dot_product_attention(query, key, value, scale=scale, enable_gqa=enable_gqa)
    lse = torch.logsumexp(query.float(), dim=-1)
    if return_aux is not None:
        return out, AuxOutput(lse if return_aux.lse else None, lse if return_aux.max_scores else None)
    return (out, lse) if return_lse else out
