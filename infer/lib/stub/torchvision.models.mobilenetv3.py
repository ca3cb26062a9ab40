# MobileNetV3.
from functools import partial as _partial
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, make_divisible as _make_divisible, weights as _weights
from torchvision.models.mobilenetv2 import _init
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation as SElayer


class InvertedResidualConfig:
    def __init__(self, input_channels, kernel, expanded_channels, out_channels, use_se, activation, stride, dilation, width_mult):
        self.input_channels = self.adjust_channels(input_channels, width_mult)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, width_mult)
        self.out_channels = self.adjust_channels(out_channels, width_mult)
        self.use_se = use_se
        self.use_hs = activation == 'HS'
        self.stride = stride
        self.dilation = dilation

    @staticmethod
    def adjust_channels(channels, width_mult):
        return _make_divisible(channels * width_mult, 8)


class InvertedResidual(_nn.Module):
    def __init__(self, cnf, norm_layer, se_layer=_partial(SElayer, scale_activation=_nn.Hardsigmoid)):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError('illegal stride value')
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        inner = cnf.expanded_channels
        active = _nn.Hardswish if cnf.use_hs else _nn.ReLU
        layers = []
        if inner != cnf.input_channels:
            layers.append(Conv2dNormActivation(cnf.input_channels, inner, kernel_size=1, norm_layer=norm_layer, activation_layer=active))
        layers.append(Conv2dNormActivation(inner, inner, kernel_size=cnf.kernel, stride=1 if cnf.dilation > 1 else cnf.stride, dilation=cnf.dilation,
                                           groups=inner, norm_layer=norm_layer, activation_layer=active))
        if cnf.use_se:
            layers.append(se_layer(inner, _make_divisible(inner // 4, 8)))
        layers.append(Conv2dNormActivation(inner, cnf.out_channels, kernel_size=1, norm_layer=norm_layer, activation_layer=None))
        self.block = _nn.Sequential(*layers)
        self.out_channels = cnf.out_channels
        self._is_cn = cnf.stride > 1

    def forward(self, input):
        result = self.block(input)
        if self.use_res_connect:  #: 113
            result += input
        return result


class MobileNetV3(_nn.Module):
    def __init__(self, inverted_residual_setting, last_channel, num_classes=1000, block=None, norm_layer=None, dropout=0.2, **kwargs):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError('The inverted_residual_setting should not be empty')
        block = block or InvertedResidual
        norm_layer = norm_layer or _partial(_nn.BatchNorm2d, eps=0.001, momentum=0.01)
        layers = [Conv2dNormActivation(3, inverted_residual_setting[0].input_channels, kernel_size=3, stride=2, norm_layer=norm_layer,
                                       activation_layer=_nn.Hardswish)]
        layers += [block(cnf, norm_layer) for cnf in inverted_residual_setting]
        width = inverted_residual_setting[-1].out_channels
        layers.append(Conv2dNormActivation(width, 6 * width, kernel_size=1, norm_layer=norm_layer, activation_layer=_nn.Hardswish))
        self.features = _nn.Sequential(*layers)
        self.avgpool = _nn.AdaptiveAvgPool2d(1)
        self.classifier = _nn.Sequential(_nn.Linear(6 * width, last_channel), _nn.Hardswish(inplace=True), _nn.Dropout(p=dropout, inplace=True),
                                         _nn.Linear(last_channel, num_classes))
        _init(self)

    def forward(self, x):
        return self.classifier(_torch.flatten(self.avgpool(self.features(x)), 1))


# Channels, kernel, expanded and outgoing channels, squeeze and excitation, activation,
# stride. The last three blocks are the tail, which may be narrower or dilated.
_LARGE = [
    (16, 3, 16, 16, False, 'RE', 1), (16, 3, 64, 24, False, 'RE', 2), (24, 3, 72, 24, False, 'RE', 1), (24, 5, 72, 40, True, 'RE', 2),
    (40, 5, 120, 40, True, 'RE', 1), (40, 5, 120, 40, True, 'RE', 1), (40, 3, 240, 80, False, 'HS', 2), (80, 3, 200, 80, False, 'HS', 1),
    (80, 3, 184, 80, False, 'HS', 1), (80, 3, 184, 80, False, 'HS', 1), (80, 3, 480, 112, True, 'HS', 1), (112, 3, 672, 112, True, 'HS', 1),
]
_SMALL = [
    (16, 3, 16, 16, True, 'RE', 2), (16, 3, 72, 24, False, 'RE', 2), (24, 3, 88, 24, False, 'RE', 1), (24, 5, 96, 40, True, 'HS', 2),
    (40, 5, 240, 40, True, 'HS', 1), (40, 5, 240, 40, True, 'HS', 1), (40, 5, 120, 48, True, 'HS', 1), (48, 5, 144, 48, True, 'HS', 1),
]


def _mobilenet(name, cls, head, before, inner, out, last):
    def make(width_mult=1.0, reduced_tail=False, dilated=False, **kwargs):
        by, dilation = 2 if reduced_tail else 1, 2 if dilated else 1
        rows = [row + (1,) for row in head] + [(before, 5, inner[0], out // by, True, 'HS', 2, dilation)]
        rows += [(out // by, 5, inner[1] // by, out // by, True, 'HS', 1, dilation)] * 2
        blocks = [InvertedResidualConfig(*row, width_mult=width_mult) for row in rows]
        return MobileNetV3(blocks, InvertedResidualConfig.adjust_channels(last // by, width_mult), **kwargs)
    return _builder(name, cls, make)


MobileNet_V3_Large_Weights = _weights('MobileNet_V3_Large_Weights', IMAGENET1K_V1=224, IMAGENET1K_V2=224)
MobileNet_V3_Small_Weights = _weights('MobileNet_V3_Small_Weights', IMAGENET1K_V1=224)
mobilenet_v3_large = _mobilenet('mobilenet_v3_large', MobileNet_V3_Large_Weights, _LARGE, 112, (672, 960), 160, 1280)
mobilenet_v3_small = _mobilenet('mobilenet_v3_small', MobileNet_V3_Small_Weights, _SMALL, 48, (288, 576), 96, 1024)
