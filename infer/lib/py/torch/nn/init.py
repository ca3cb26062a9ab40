# This file defines the initialisers. They check what depends on the shape, as
# PyTorch does, and note what they would write: contents are not tracked, but an
# export with --init draws them.
import math
import _shapecheck


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError('Fan in and fan out can not be computed for tensor with fewer than 2 dimensions')
    area = 1
    for s in tensor.shape[2:]:
        area *= s
    return tensor.size(1) * area, tensor.size(0) * area


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ('fan_in', 'fan_out'):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == 'fan_in' else fan_out


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in ('linear', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d',
                        'conv_transpose3d', 'sigmoid'):
        return 1
    if nonlinearity == 'tanh':
        return 5.0 / 3
    if nonlinearity == 'relu':
        return math.sqrt(2.0)
    if nonlinearity == 'leaky_relu':
        if param is None:
            slope = 0.01
        elif not isinstance(param, bool) and isinstance(param, (int, float)):
            slope = param
        else:
            raise ValueError(f'negative_slope {param} not a valid number')
        return math.sqrt(2.0 / (1 + slope ** 2))
    if nonlinearity == 'selu':
        return 3.0 / 4
    raise ValueError(f'Unsupported nonlinearity {nonlinearity}')


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _shapecheck.init('uniform', (a, b), tensor)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _shapecheck.init('normal', (mean, std), tensor)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    return _shapecheck.init('trunc_normal', (mean, std, a, b), tensor)


def constant_(tensor, val):
    return _shapecheck.init('constant', (val,), tensor)


def ones_(tensor):
    return _shapecheck.init('constant', (1.0,), tensor)


def zeros_(tensor):
    return _shapecheck.init('constant', (0.0,), tensor)


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError('Only tensors with 2 dimensions are supported')
    return _shapecheck.init('eye', (), tensor)


def dirac_(tensor, groups=1):
    if tensor.dim() not in (3, 4, 5):
        raise ValueError('Only tensors with 3, 4, or 5 dimensions are supported')
    if tensor.size(0) % groups != 0:
        raise ValueError('dim 0 must be divisible by groups')
    return _shapecheck.init('dirac', (groups,), tensor)


def _check_fan(tensor):
    if tensor.dim() < 2:
        raise ValueError('Fan in and fan out can not be computed for tensor with fewer than 2 dimensions')
    return tensor


def xavier_uniform_(tensor, gain=1.0, generator=None):
    _check_fan(tensor)
    return _shapecheck.init('xavier_uniform', (gain,), tensor)


def xavier_normal_(tensor, gain=1.0, generator=None):
    _check_fan(tensor)
    return _shapecheck.init('xavier_normal', (gain,), tensor)


def _kaiming(tensor, a, mode, nonlinearity):
    if mode not in ('fan_in', 'fan_out'):
        _calculate_correct_fan(tensor, mode)
    calculate_gain(nonlinearity, a)
    return _check_fan(tensor)


def kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    _kaiming(tensor, a, mode, nonlinearity)
    return _shapecheck.init('kaiming_uniform', (calculate_gain(nonlinearity, a), mode), tensor)


def kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    _kaiming(tensor, a, mode, nonlinearity)
    return _shapecheck.init('kaiming_normal', (calculate_gain(nonlinearity, a), mode), tensor)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.dim() < 2:
        raise ValueError('Only tensors with 2 or more dimensions are supported')
    return _shapecheck.init('orthogonal', (gain,), tensor)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.dim() != 2:
        raise ValueError('Only tensors with 2 dimensions are supported')
    return _shapecheck.init('sparse', (sparsity, std), tensor)


uniform = uniform_
normal = normal_
constant = constant_
eye = eye_
dirac = dirac_
xavier_uniform = xavier_uniform_
xavier_normal = xavier_normal_
kaiming_uniform = kaiming_uniform_
kaiming_normal = kaiming_normal_
orthogonal = orthogonal_
sparse = sparse_
