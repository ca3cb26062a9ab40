# This file defines the functions of torch.nn.functional that call what they are
# given. All others are operator records.
import torch


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction='mean'):
    if distance_function is None:
        distance_function = torch.pairwise_distance
    near = distance_function(anchor, positive)
    far = distance_function(anchor, negative)
    if swap:
        far = torch.minimum(far, distance_function(positive, negative))
    loss = torch.clamp_min(margin + near - far, 0)
    if reduction == 'sum':
        return torch.sum(loss)
    if reduction == 'mean':
        return torch.mean(loss)
    return loss


def has_torch_function(args):
    return False


def has_torch_function_unary(arg):
    return False


def has_torch_function_variadic(*args):
    return False


def handle_torch_function(func, types, *args, **kwargs):
    return func(*args, **kwargs)


def assert_int_or_pair(arg, arg_name, message):
    assert isinstance(arg, int) or len(arg) == 2, message.format(arg_name)


def boolean_dispatch(*args, **kwargs):
    from .._jit_internal import boolean_dispatch as make
    return make(*args, **kwargs)


def _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads):
    assert query.dim() in (2, 3), 'query should be a batched 3D or an unbatched 2D tensor'
    assert key.dim() == query.dim() and value.dim() == query.dim()
    if key_padding_mask is not None:
        assert key_padding_mask.dim() == query.dim() - 1
    if attn_mask is not None:
        assert attn_mask.dim() in (2, 3)
    return query.dim() == 3
