# EfficientNet, versions 1 and 2.
import copy as _copy
import math as _math
from functools import partial as _partial
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, make_divisible as _make_divisible, weights as _weights
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation
from torchvision.ops.stochastic_depth import StochasticDepth


class _MBConvConfig:
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block):
        self.expand_ratio = expand_ratio
        self.kernel = kernel
        self.stride = stride
        self.input_channels = input_channels
        self.out_channels = out_channels
        self.num_layers = num_layers
        self.block = block

    @staticmethod
    def adjust_channels(channels, width_mult, min_value=None):
        return _make_divisible(channels * width_mult, 8, min_value)


class MBConvConfig(_MBConvConfig):
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, width_mult=1.0, depth_mult=1.0, block=None):
        super().__init__(expand_ratio, kernel, stride, self.adjust_channels(input_channels, width_mult), self.adjust_channels(out_channels, width_mult),
                         int(_math.ceil(num_layers * depth_mult)), block or MBConv)


class FusedMBConvConfig(_MBConvConfig):
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block=None):
        super().__init__(expand_ratio, kernel, stride, input_channels, out_channels, num_layers, block or FusedMBConv)


class _Block(_nn.Module):
    def __init__(self, cnf, stochastic_depth_prob, layers):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError('illegal stride value')
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        self.block = _nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, 'row')
        self.out_channels = cnf.out_channels

    def forward(self, input):
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


class MBConv(_Block):
    def __init__(self, cnf, stochastic_depth_prob, norm_layer, se_layer=SqueezeExcitation):
        inner = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        layer = _partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=_nn.SiLU)
        layers = [layer(cnf.input_channels, inner, kernel_size=1)] if inner != cnf.input_channels else []
        layers.append(layer(inner, inner, kernel_size=cnf.kernel, stride=cnf.stride, groups=inner))
        layers.append(se_layer(inner, max(1, cnf.input_channels // 4), activation=_partial(_nn.SiLU, inplace=True)))
        layers.append(layer(inner, cnf.out_channels, kernel_size=1, activation_layer=None))
        super().__init__(cnf, stochastic_depth_prob, layers)


class FusedMBConv(_Block):
    def __init__(self, cnf, stochastic_depth_prob, norm_layer):
        inner = cnf.adjust_channels(cnf.input_channels, cnf.expand_ratio)
        layer = _partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=_nn.SiLU)
        if inner == cnf.input_channels:
            layers = [layer(cnf.input_channels, cnf.out_channels, kernel_size=cnf.kernel, stride=cnf.stride)]
        else:
            layers = [layer(cnf.input_channels, inner, kernel_size=cnf.kernel, stride=cnf.stride),
                      layer(inner, cnf.out_channels, kernel_size=1, activation_layer=None)]
        super().__init__(cnf, stochastic_depth_prob, layers)


class EfficientNet(_nn.Module):
    def __init__(self, inverted_residual_setting, dropout, stochastic_depth_prob=0.2, num_classes=1000, norm_layer=None, last_channel=None):
        super().__init__()
        if not inverted_residual_setting:
            raise ValueError('The inverted_residual_setting should not be empty')
        norm_layer = norm_layer or _nn.BatchNorm2d
        layer = _partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=_nn.SiLU)
        layers = [layer(3, inverted_residual_setting[0].input_channels, kernel_size=3, stride=2)]
        total = sum([cnf.num_layers for cnf in inverted_residual_setting])
        done = 0
        for cnf in inverted_residual_setting:
            stage = []
            for _ in range(cnf.num_layers):
                own = _copy.copy(cnf)
                if stage:
                    own.input_channels, own.stride = own.out_channels, 1
                stage.append(own.block(own, stochastic_depth_prob * float(done) / total, norm_layer))
                done += 1
            layers.append(_nn.Sequential(*stage))
        width = inverted_residual_setting[-1].out_channels
        out = 4 * width if last_channel is None else last_channel
        layers.append(layer(width, out, kernel_size=1))
        self.features = _nn.Sequential(*layers)
        self.avgpool = _nn.AdaptiveAvgPool2d(1)
        self.classifier = _nn.Sequential(_nn.Dropout(p=dropout, inplace=True), _nn.Linear(out, num_classes))
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_normal_(m.weight, mode='fan_out')
                if m.bias is not None:
                    _nn.init.zeros_(m.bias)
            elif isinstance(m, _nn.Linear):
                bound = 1.0 / _math.sqrt(m.out_features)
                _nn.init.uniform_(m.weight, -bound, bound)
                _nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(_torch.flatten(self.avgpool(self.features(x)), 1))


# Expansion, kernel, stride, channels, outgoing channels, layers; F: fused.
_B = [(1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3), (6, 5, 2, 112, 192, 4),
      (6, 3, 1, 192, 320, 1)]
_V2 = {
    's': [('F', 1, 3, 1, 24, 24, 2), ('F', 4, 3, 2, 24, 48, 4), ('F', 4, 3, 2, 48, 64, 4), (4, 3, 2, 64, 128, 6), (6, 3, 1, 128, 160, 9),
          (6, 3, 2, 160, 256, 15)],
    'm': [('F', 1, 3, 1, 24, 24, 3), ('F', 4, 3, 2, 24, 48, 5), ('F', 4, 3, 2, 48, 80, 5), (4, 3, 2, 80, 160, 7), (6, 3, 1, 160, 176, 14),
          (6, 3, 2, 176, 304, 18), (6, 3, 1, 304, 512, 5)],
    'l': [('F', 1, 3, 1, 32, 32, 4), ('F', 4, 3, 2, 32, 64, 7), ('F', 4, 3, 2, 64, 96, 7), (4, 3, 2, 96, 192, 10), (6, 3, 1, 192, 224, 19),
          (6, 3, 2, 224, 384, 25), (6, 3, 1, 384, 640, 7)],
}


def _b(name, cls, dropout, width, depth, **norm):
    def make(**kwargs):
        rows = [MBConvConfig(*row, width_mult=width, depth_mult=depth) for row in _B]
        own = {'norm_layer': _partial(_nn.BatchNorm2d, **norm)} if norm else {}
        return EfficientNet(rows, kwargs.pop('dropout', dropout), last_channel=None, **own, **kwargs)
    return _builder(name, cls, make)


def _v2(name, cls, size, dropout):
    def make(**kwargs):
        rows = [FusedMBConvConfig(*row[1:]) if row[0] == 'F' else MBConvConfig(*row) for row in _V2[size]]
        return EfficientNet(rows, kwargs.pop('dropout', dropout), last_channel=1280, norm_layer=_partial(_nn.BatchNorm2d, eps=0.001), **kwargs)
    return _builder(name, cls, make)


EfficientNet_B0_Weights = _weights('EfficientNet_B0_Weights', IMAGENET1K_V1=224)
EfficientNet_B1_Weights = _weights('EfficientNet_B1_Weights', IMAGENET1K_V1=240, IMAGENET1K_V2=240)
EfficientNet_B2_Weights = _weights('EfficientNet_B2_Weights', IMAGENET1K_V1=288)
EfficientNet_B3_Weights = _weights('EfficientNet_B3_Weights', IMAGENET1K_V1=300)
EfficientNet_B4_Weights = _weights('EfficientNet_B4_Weights', IMAGENET1K_V1=380)
EfficientNet_B5_Weights = _weights('EfficientNet_B5_Weights', IMAGENET1K_V1=456)
EfficientNet_B6_Weights = _weights('EfficientNet_B6_Weights', IMAGENET1K_V1=528)
EfficientNet_B7_Weights = _weights('EfficientNet_B7_Weights', IMAGENET1K_V1=600)
EfficientNet_V2_S_Weights = _weights('EfficientNet_V2_S_Weights', IMAGENET1K_V1=384)
EfficientNet_V2_M_Weights = _weights('EfficientNet_V2_M_Weights', IMAGENET1K_V1=480)
EfficientNet_V2_L_Weights = _weights('EfficientNet_V2_L_Weights', IMAGENET1K_V1=480)

efficientnet_b0 = _b('efficientnet_b0', EfficientNet_B0_Weights, 0.2, 1.0, 1.0)
efficientnet_b1 = _b('efficientnet_b1', EfficientNet_B1_Weights, 0.2, 1.0, 1.1)
efficientnet_b2 = _b('efficientnet_b2', EfficientNet_B2_Weights, 0.3, 1.1, 1.2)
efficientnet_b3 = _b('efficientnet_b3', EfficientNet_B3_Weights, 0.3, 1.2, 1.4)
efficientnet_b4 = _b('efficientnet_b4', EfficientNet_B4_Weights, 0.4, 1.4, 1.8)
efficientnet_b5 = _b('efficientnet_b5', EfficientNet_B5_Weights, 0.4, 1.6, 2.2, eps=0.001, momentum=0.01)
efficientnet_b6 = _b('efficientnet_b6', EfficientNet_B6_Weights, 0.5, 1.8, 2.6, eps=0.001, momentum=0.01)
efficientnet_b7 = _b('efficientnet_b7', EfficientNet_B7_Weights, 0.5, 2.0, 3.1, eps=0.001, momentum=0.01)
efficientnet_v2_s = _v2('efficientnet_v2_s', EfficientNet_V2_S_Weights, 's', 0.2)
efficientnet_v2_m = _v2('efficientnet_v2_m', EfficientNet_V2_M_Weights, 'm', 0.3)
efficientnet_v2_l = _v2('efficientnet_v2_l', EfficientNet_V2_L_Weights, 'l', 0.4)
