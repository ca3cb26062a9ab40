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


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction='mean', ignore_index=None,
                         label_smoothing=0.0, options=None):
    # The cross entropy of linear(input, linear_weight), whose weight is (classes, *more, features).
    if input.dim() not in (1, 2):
        raise RuntimeError(f'linear_cross_entropy: the input must have 1 or 2 dimensions, not {input.dim()}')
    if linear_weight.dim() < 2:
        raise RuntimeError(f'linear_cross_entropy: linear_weight must have at least 2 dimensions, not {linear_weight.dim()}')
    features = linear_weight.shape[-1]
    if input.shape[-1] != features:
        raise RuntimeError(f'linear_cross_entropy: the input has {input.shape[-1]} features, but linear_weight {features}')
    outputs = linear_weight.shape[:-1]
    if linear_bias is not None and linear_bias.shape != outputs:
        raise RuntimeError(f'linear_cross_entropy: linear_bias must have shape {tuple(outputs)}, not {tuple(linear_bias.shape)}')
    if len(outputs) > 1 and input.dim() == 1:
        raise RuntimeError('linear_cross_entropy: a linear_weight of more than 2 dimensions needs an input with a batch')
    if label_smoothing < 0 or label_smoothing > 1:
        raise RuntimeError(f'label_smoothing must be between 0 and 1, but is {label_smoothing}')
    logits = torch.nn.functional.linear(input, linear_weight.flatten(0, -2), None if linear_bias is None else linear_bias.flatten())
    logits = logits.reshape(input.shape[:-1] + outputs)
    if torch.is_floating_point(target) and ignore_index is not None:
        raise RuntimeError('linear_cross_entropy: ignore_index is for targets of classes')
    return torch.nn.functional.cross_entropy(logits, target, weight=weight, reduction=reduction, label_smoothing=label_smoothing,
                                             ignore_index=-100 if ignore_index is None else ignore_index)


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
