# This file defines einops' layers for PyTorch. The rules follow einops'
# documentation: patterns are checked when a layer is made.
import torch
from torch import nn
from einops import EinopsError, check_pattern, rearrange, reduce, repeat


class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths
        check_pattern(pattern, 'rearrange', **axes_lengths)

    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)

    def __repr__(self):
        params = repr(self.pattern)
        for axis, length in self.axes_lengths.items():
            params += ', {}={}'.format(axis, length)
        return '{}({})'.format(self.__class__.__name__, params)


class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths
        check_pattern(pattern, 'repeat' if reduction == 'repeat' else 'reduce', **axes_lengths)

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)


def _groups(side):
    # The dimensions of one side, each a list of axes.
    out = []
    group = None
    for word in side.replace('(', ' ( ').replace(')', ' ) ').split():
        if word == '(':
            group = []
        elif word == ')':
            out.append(group)
            group = None
        elif group is not None:
            group.append(word)
        elif word == '1':
            out.append([])
        else:
            out.append([word])
    return out


def _names(groups):
    return [axis for group in groups for axis in group]


def _listed(axes, message):
    if axes:
        raise EinopsError(message.format(', '.join(repr(a) for a in axes)))


class EinMix(nn.Module):
    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.bias_shape = bias_shape
        self.axes_lengths = axes_lengths
        if pattern.count('->') != 1:
            raise EinopsError('the pattern of EinMix needs one ->: ' + repr(pattern))
        if '(' in weight_shape or ')' in weight_shape:
            raise EinopsError('parentheses are not allowed in the weight shape of EinMix: ' + repr(weight_shape))
        if '...' in weight_shape:
            raise EinopsError('an ellipsis is not allowed in the weight shape of EinMix')
        left, right = [_groups(side) for side in pattern.split('->')]
        weight = _groups(weight_shape)
        left_names, right_names, weight_names = _names(left), _names(right), _names(weight)
        if ('...' in left_names) != ('...' in right_names):
            raise EinopsError('an ellipsis must be on both sides of EinMix: ' + repr(pattern))
        if any(name.isdecimal() for name in left_names + right_names + weight_names):
            raise EinopsError('axes given by numbers are not allowed in EinMix: ' + repr(pattern))
        _listed([a for a in right_names if a not in left_names and a not in weight_names], 'EinMix: axes {} of the right side are neither on the left side nor in the weight')
        _listed([a for a in weight_names if a not in axes_lengths], 'EinMix: axes {} of the weight need a length')
        _listed([a for a in axes_lengths if a not in left_names and a not in weight_names], 'EinMix: axes {} have a length, but are not used in the pattern')
        _listed([a for a in weight_names if a not in left_names and a not in right_names], 'EinMix: axes {} of the weight are redundant')

        def flat(groups):
            return ' '.join(_names(groups))

        def composed(groups):
            return any(len(group) != 1 for group in groups)

        self._pre = self._post = None
        if composed(left):
            lengths = {a: n for a, n in axes_lengths.items() if a in left_names}
            self._pre = (pattern.split('->')[0] + '->' + flat(left), lengths)
        if composed(right):
            lengths = {a: n for a, n in axes_lengths.items() if a in right_names}
            self._post = (flat(right) + '->' + pattern.split('->')[1], lengths)
        self._mix = flat(left) + ', ' + flat(weight) + ' -> ' + flat(right)
        self.weight = nn.Parameter(torch.zeros([axes_lengths[a] for a in weight_names]), requires_grad=True)
        if bias_shape is None:
            self.bias = None
            return
        if not isinstance(bias_shape, str):
            raise EinopsError('the bias shape of EinMix must be a str')
        bias_names = _names(_groups(bias_shape))
        _listed([a for a in bias_names if a not in right_names], 'EinMix: axes {} of the bias are not in the output')
        _listed([a for a in bias_names if a not in axes_lengths], 'EinMix: axes {} of the bias need a length')
        sizes = []
        for axis in right_names:
            if axis == '...':
                if any(n != 1 for n in sizes):
                    raise EinopsError('EinMix: axes of the bias must come after the ellipsis')
                sizes = []
            else:
                sizes.append(axes_lengths[axis] if axis in bias_names else 1)
        self.bias = nn.Parameter(torch.zeros(sizes), requires_grad=True)

    def forward(self, input):
        from einops import einsum
        if self._pre is not None:
            input = rearrange(input, self._pre[0], **self._pre[1])
        result = einsum(input, self.weight, self._mix)
        if self.bias is not None:
            result += self.bias
        if self._post is not None:
            result = rearrange(result, self._post[0], **self._post[1])
        return result
