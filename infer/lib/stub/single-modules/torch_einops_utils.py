# Functions on tensors that packages around einops take of torch_einops_utils.
import functools as _functools
import torch as _torch
import torch.nn.functional as _F
from einops import pack as _pack, unpack as _unpack
from torch.utils._pytree import tree_flatten as _flatten, tree_map as _map, tree_unflatten as _unflatten
from torch_einops_utils.nn import Identity, Lambda, Sequential, temp_eval


def maybe(fn, default=None):
    if fn is None:
        return lambda t, *args, **kwargs: t

    @_functools.wraps(fn)
    def inner(t, *args, **kwargs):
        return default if t is None else fn(t, *args, **kwargs)
    return inner


# Means and sums of what a mask leaves.

def masked_reduce(t, mode='mean', mask=None, dim=None, eps=1e-5, keepdim=False):
    assert mode in {'mean', 'sum', 'none'}, f'unsupported reduction mode {mode}'
    if isinstance(dim, slice):
        dim = tuple(range(t.ndim)[dim])
    if dim is None and keepdim:
        dim = tuple(range(t.ndim))
    axes = {} if dim is None else {'dim': dim, 'keepdim': keepdim}
    if mask is None:
        return t if mode == 'none' else getattr(t, mode)(**axes)
    mask = pad_right_ndim_to(mask, t.ndim).expand_as(t)
    masked = t * mask
    if mode == 'none':
        return masked
    total = masked.sum(**axes)
    return total if mode == 'sum' else total / mask.sum(**axes).clamp(min=eps)


def masked_mean(t, mask=None, dim=None, eps=1e-5, keepdim=False):
    return masked_reduce(t, 'mean', mask, dim, eps, keepdim)


def masked_sum(t, mask=None, dim=None, keepdim=False):
    return masked_reduce(t, 'sum', mask, dim, keepdim=keepdim)


def exclusive_cumsum(t, dim=-1):
    return t.cumsum(dim=dim) - t


def reverse_cumsum(t, dim=-1):
    return t.sum(dim=dim, keepdim=True) - t.cumsum(dim=dim) + t


# Parts of an axis, and axes of size 1.

def slice_at_dim(t, slc, dim=-1):
    parts = [slice(None)] * t.ndim
    parts[dim] = slc
    return t[tuple(parts)]


def slice_left_at_dim(t, length, dim=-1):
    return slice_at_dim(t, slice(0, length), dim)


def slice_right_at_dim(t, length, dim=-1):
    return slice_at_dim(t, slice(0, 0) if length == 0 else slice(-length, None), dim)


def pad_ndim(t, ndims):
    left, right = ndims
    assert left >= 0 and right >= 0
    return t.reshape(*(1,) * left, *t.shape, *(1,) * right)


def pad_left_ndim(t, ndims):
    return pad_ndim(t, (ndims, 0))


def pad_right_ndim(t, ndims):
    return pad_ndim(t, (0, ndims))


def pad_left_ndim_to(t, ndims):
    return t if t.ndim >= ndims else pad_left_ndim(t, ndims - t.ndim)


def pad_right_ndim_to(t, ndims):
    return t if t.ndim >= ndims else pad_right_ndim(t, ndims - t.ndim)


def align_dims_left(tensors, *, ndim=None):
    if ndim is None:
        ndim = max(t.ndim for t in tensors)
    return tuple(pad_right_ndim(t, ndim - t.ndim) for t in tensors)


# Tensors of which some may be None.

def safe_stack(tensors, dim=0):
    there = [t for t in tensors if t is not None]
    return _torch.stack(there, dim=dim) if there else None


def safe_cat(tensors, dim=0):
    there = [t for t in tensors if t is not None]
    if len(there) < 2:
        return there[0] if there else None
    return _torch.cat(there, dim=dim)


def reduce_masks(masks, op):
    there = [m for m in masks if m is not None]
    return _functools.reduce(op, there) if there else None


def and_masks(masks):
    return reduce_masks(masks, _torch.logical_and)


def or_masks(masks):
    return reduce_masks(masks, _torch.logical_or)


def lens_to_mask(lens, max_len=None):
    if max_len is None:
        max_len = lens.amax().item()
    return _torch.arange(max_len, device=lens.device) < lens.unsqueeze(-1)


def mask_after(t, value, dim=-1, inclusive=True):
    mask = t == value
    if inclusive:
        mask = shift_right(mask, 1, dim, False)
    return mask.float().cumsum(dim=dim) == 0.


def mask_before(t, value, dim=-1, inclusive=True):
    mask = t == value
    if inclusive:
        mask = shift_left(mask, 1, dim, False)
    return reverse_cumsum(mask.float(), dim=dim) == 0.


# Padding of an axis.

def pad_at_dim(t, pad, *, dim=-1, value=0.):
    behind = -dim - 1 if dim < 0 else t.ndim - dim - 1
    return _F.pad(t, (*(0, 0) * behind, *pad), value=value)


def pad_left_at_dim(t, pad, **kwargs):
    return pad_at_dim(t, (pad, 0), **kwargs)


def pad_right_at_dim(t, pad, **kwargs):
    return pad_at_dim(t, (0, pad), **kwargs)


def pad_left_at_dim_to(t, length, dim=-1, **kwargs):
    size = t.shape[dim]
    return t if size >= length else pad_left_at_dim(t, length - size, dim=dim, **kwargs)


def pad_right_at_dim_to(t, length, dim=-1, **kwargs):
    size = t.shape[dim]
    return t if size >= length else pad_right_at_dim(t, length - size, dim=dim, **kwargs)


def shift(t, amount=1, dim=-1, pad_value=0.):
    return pad_at_dim(t, (amount, -amount), dim=dim, value=pad_value)


def shift_right(t, amount=1, dim=-1, pad_value=0.):
    return shift(t, amount, dim, pad_value)


def shift_left(t, amount=1, dim=-1, pad_value=0.):
    return shift(t, -amount, dim, pad_value)


# Trees of tensors, and einops' pack.

def tree_map_tensor(fn, tree):
    return _map(lambda t: fn(t) if _torch.is_tensor(t) else t, tree)


def tree_flatten_with_inverse(tree):
    leaves, spec = _flatten(tree)
    return leaves, lambda out: _unflatten(out, spec)


def pack_with_inverse(t, pattern):
    one = _torch.is_tensor(t)
    packed, shapes = _pack([t] if one else t, pattern)

    def inverse(out, inv_pattern=None):
        parts = _unpack(out, shapes, pattern if inv_pattern is None else inv_pattern)
        return parts[0] if one else parts
    return packed, inverse


def batched_index_select(values, indices, dim=1):
    dim = dim % values.ndim
    assert indices.ndim >= dim
    index = []
    for i in range(dim):
        numbers = _torch.arange(values.shape[i], device=values.device)
        index.append(pad_right_ndim_to(pad_left_ndim(numbers, i), indices.ndim))
    return values[(*index, indices)]


def pad_right_ndim_to_and_expand_as(source, target):
    rank = source.ndim
    return pad_right_ndim_to(source, target.ndim).expand([*source.shape, *target.shape[rank:]])


def cross_entropy(logits, target, ignore_index=-100, reduction='mean', class_dim=1):
    assert logits.ndim > 1, 'logits must be batched'
    return _F.cross_entropy(_torch.movedim(logits, class_dim, 1), target.long(), ignore_index=ignore_index, reduction=reduction)
