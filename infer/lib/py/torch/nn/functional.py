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


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    a, b = mat_a.dim(), mat_b.dim()
    if a not in (2, 3) or b not in (2, 3):
        raise RuntimeError(f'grouped_mm: the matrices must have 2 or 3 dimensions, but have {a} and {b}')
    if mat_a.dtype not in (torch.float32, torch.bfloat16, torch.float16) or mat_a.dtype != mat_b.dtype:
        raise RuntimeError(f'grouped_mm: the matrices must be of one dtype of float32, bfloat16 and float16, not {mat_a.dtype} and {mat_b.dtype}')
    if mat_a.size(-1) != mat_b.size(-2):
        raise RuntimeError(f'contraction dimension of mat_a and mat_b must match: {mat_a.size(-1)} and {mat_b.size(-2)}')
    if (offs is None) != (a == 3 and b == 3):
        raise RuntimeError('grouped_mm: offs must be given if one of the matrices has 2 dimensions, and not otherwise')
    if a == b == 3:
        out = torch.bmm(mat_a, mat_b)
    else:
        if offs.dim() != 1 or offs.dtype != torch.int32:
            raise RuntimeError('grouped_mm: offs must be a vector of int32')
        if a == b == 2:
            shape = (offs.size(0), mat_a.size(0), mat_b.size(1))
        else:
            groups = mat_b.size(0) if b == 3 else mat_a.size(0)
            if groups != offs.size(0):
                raise RuntimeError(f'grouped_mm: there are {groups} groups of matrices but {offs.size(0)} offsets')
            shape = (mat_a.size(-2), mat_b.size(-1))
        out = torch._stand_in(torch.zeros(shape, dtype=mat_a.dtype), what='grouped_mm')
    return out if out_dtype is None else out.to(out_dtype)
