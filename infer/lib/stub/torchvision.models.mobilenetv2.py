# MobileNetV2.
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, make_divisible as _make_divisible, weights as _weights
from torchvision.ops.misc import Conv2dNormActivation


class InvertedResidual(_nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or _nn.BatchNorm2d
        if stride not in (1, 2):
            raise ValueError(f'stride should be 1 or 2 instead of {stride}')
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        hidden = int(round(inp * expand_ratio))
        layers = []
        if expand_ratio != 1:
            layers.append(Conv2dNormActivation(inp, hidden, kernel_size=1, norm_layer=norm_layer, activation_layer=_nn.ReLU6))
        layers.append(Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer, activation_layer=_nn.ReLU6))
        layers += [_nn.Conv2d(hidden, oup, 1, 1, 0, bias=False), norm_layer(oup)]
        self.conv = _nn.Sequential(*layers)
        self.out_channels = oup
        self._is_cn = stride > 1

    def forward(self, x):
        if self.use_res_connect:  #: 61
            return x + self.conv(x)
        return self.conv(x)


# Expansion, channels, repetitions and stride of the blocks.
_BLOCKS = [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]]


class MobileNetV2(_nn.Module):
    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None, norm_layer=None, dropout=0.2):
        super().__init__()
        block = block or InvertedResidual
        norm_layer = norm_layer or _nn.BatchNorm2d
        rows = _BLOCKS if inverted_residual_setting is None else inverted_residual_setting
        if len(rows) == 0 or len(rows[0]) != 4:
            raise ValueError(f'inverted_residual_setting should be non-empty or a 4-element list, got {rows}')
        width = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        features = [Conv2dNormActivation(3, width, stride=2, norm_layer=norm_layer, activation_layer=_nn.ReLU6)]
        for expand, channels, n, stride in rows:
            out = _make_divisible(channels * width_mult, round_nearest)
            for i in range(n):
                features.append(block(width, out, stride if i == 0 else 1, expand_ratio=expand, norm_layer=norm_layer))
                width = out
        features.append(Conv2dNormActivation(width, self.last_channel, kernel_size=1, norm_layer=norm_layer, activation_layer=_nn.ReLU6))
        self.features = _nn.Sequential(*features)
        self.classifier = _nn.Sequential(_nn.Dropout(p=dropout), _nn.Linear(self.last_channel, num_classes))
        _init(self)

    def forward(self, x):
        x = _nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(_torch.flatten(x, 1))


def _init(model):
    for m in model.modules():
        if isinstance(m, _nn.Conv2d):
            _nn.init.kaiming_normal_(m.weight, mode='fan_out')
            if m.bias is not None:
                _nn.init.zeros_(m.bias)
        elif isinstance(m, _nn.Linear):
            _nn.init.normal_(m.weight, 0, 0.01)
            _nn.init.zeros_(m.bias)


MobileNet_V2_Weights = _weights('MobileNet_V2_Weights', IMAGENET1K_V1=224, IMAGENET1K_V2=224)
mobilenet_v2 = _builder('mobilenet_v2', MobileNet_V2_Weights, MobileNetV2)
