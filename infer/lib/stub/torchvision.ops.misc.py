# The layers of torchvision.ops that models are made of.
import torch as _torch
from torch import nn as _nn
from torch.nn.modules.utils import _ntuple


class FrozenBatchNorm2d(_nn.Module):
    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name, value in (('weight', 1.0), ('bias', 0.0), ('running_mean', 0.0), ('running_var', 1.0)):
            self.register_buffer(name, _torch.full((num_features,), value))

    def _load_from_state_dict(self, state_dict, prefix, *args):
        state_dict.pop(prefix + 'num_batches_tracked', None)
        super()._load_from_state_dict(state_dict, prefix, *args)

    def forward(self, x):
        weight, bias, mean, var = [b.reshape(1, -1, 1, 1) for b in (self.weight, self.bias, self.running_mean, self.running_var)]
        scale = weight * (var + self.eps).rsqrt()
        return x * scale + (bias - mean * scale)


class ConvNormActivation(_nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=_nn.BatchNorm2d, activation_layer=_nn.ReLU,
                 dilation=1, inplace=True, bias=None, conv_layer=_nn.Conv2d):
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                n = len(dilation if isinstance(kernel_size, int) else kernel_size)
                kernel_size, dilation = _ntuple(n)(kernel_size), _ntuple(n)(dilation)
                padding = tuple([(k - 1) // 2 * d for k, d in zip(kernel_size, dilation)])
        if bias is None:
            bias = norm_layer is None
        layers = [conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer() if inplace is None else activation_layer(inplace=inplace))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=_nn.BatchNorm2d, activation_layer=_nn.ReLU,
                 dilation=1, inplace=True, bias=None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation, inplace, bias, _nn.Conv2d)


class Conv3dNormActivation(ConvNormActivation):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=_nn.BatchNorm3d, activation_layer=_nn.ReLU,
                 dilation=1, inplace=True, bias=None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation, inplace, bias, _nn.Conv3d)


class SqueezeExcitation(_nn.Module):
    def __init__(self, input_channels, squeeze_channels, activation=_nn.ReLU, scale_activation=_nn.Sigmoid):
        super().__init__()
        self.avgpool = _nn.AdaptiveAvgPool2d(1)
        self.fc1 = _nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = _nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input):
        scale = self.fc2(self.activation(self.fc1(self.avgpool(input))))
        return self.scale_activation(scale) * input


class MLP(_nn.Sequential):
    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=_nn.ReLU, inplace=None, bias=True, dropout=0.0):
        options = {} if inplace is None else {'inplace': inplace}
        layers = []
        for width in hidden_channels[:-1]:
            layers.append(_nn.Linear(in_channels, width, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(width))
            layers += [activation_layer(**options), _nn.Dropout(dropout, **options)]
            in_channels = width
        layers += [_nn.Linear(in_channels, hidden_channels[-1], bias=bias), _nn.Dropout(dropout, **options)]
        super().__init__(*layers)


class Permute(_nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return _torch.permute(x, self.dims)
