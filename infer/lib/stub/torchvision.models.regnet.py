# RegNet, families X and Y.
import math as _math
from collections import OrderedDict as _OrderedDict
from functools import partial as _partial
from torch import nn as _nn
from torchvision.models._api import builder as _builder, make_divisible as _make_divisible, weights as _weights
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation


class SimpleStemIN(Conv2dNormActivation):
    def __init__(self, width_in, width_out, norm_layer, activation_layer):
        super().__init__(width_in, width_out, 3, 2, norm_layer=norm_layer, activation_layer=activation_layer)


class BottleneckTransform(_nn.Sequential):
    def __init__(self, width_in, width_out, stride, norm_layer, activation_layer, group_width, bottleneck_multiplier, se_ratio):
        width = int(round(width_out * bottleneck_multiplier))
        conv = _partial(Conv2dNormActivation, norm_layer=norm_layer)
        parts = _OrderedDict(a=conv(width_in, width, 1, 1, activation_layer=activation_layer),
                             b=conv(width, width, 3, stride, groups=width // group_width, activation_layer=activation_layer))
        if se_ratio:
            parts['se'] = SqueezeExcitation(width, int(round(se_ratio * width_in)), activation=activation_layer)
        parts['c'] = conv(width, width_out, 1, 1, activation_layer=None)
        super().__init__(parts)


class ResBottleneckBlock(_nn.Module):
    def __init__(self, width_in, width_out, stride, norm_layer, activation_layer, group_width=1, bottleneck_multiplier=1.0, se_ratio=None):
        super().__init__()
        self.proj = None
        if width_in != width_out or stride != 1:
            self.proj = Conv2dNormActivation(width_in, width_out, 1, stride, norm_layer=norm_layer, activation_layer=None)
        self.f = BottleneckTransform(width_in, width_out, stride, norm_layer, activation_layer, group_width, bottleneck_multiplier, se_ratio)
        self.activation = activation_layer(inplace=True)

    def forward(self, x):
        if self.proj is not None:  #: 144
            return self.activation(self.proj(x) + self.f(x))
        return self.activation(x + self.f(x))


class AnyStage(_nn.Sequential):
    def __init__(self, width_in, width_out, stride, depth, block_constructor, norm_layer, activation_layer, group_width, bottleneck_multiplier,
                 se_ratio=None, stage_index=0):
        super().__init__()
        for i in range(depth):
            block = block_constructor(width_out if i else width_in, width_out, 1 if i else stride, norm_layer, activation_layer, group_width,
                                      bottleneck_multiplier, se_ratio)
            self.add_module(f'block{stage_index}-{i}', block)


class BlockParams:
    # Of each stage: blocks, channels, channels of a group, factor of the inner channels, stride.
    def __init__(self, depths, widths, group_widths, bottleneck_multipliers, strides, se_ratio=None):
        self.depths = depths
        self.widths = widths
        self.group_widths = group_widths
        self.bottleneck_multipliers = bottleneck_multipliers
        self.strides = strides
        self.se_ratio = se_ratio

    @classmethod
    def from_init_params(cls, depth, w_0, w_a, w_m, group_width, bottleneck_multiplier=1.0, se_ratio=None, **kwargs):
        # The widths grow linearly with the block (w_0 + w_a·i); rounded to w_0·w_m^k, then to
        # multiples of 8, the blocks of one width are a stage.
        if w_a < 0 or w_0 <= 0 or w_m <= 1 or w_0 % 8 != 0:
            raise ValueError('Invalid RegNet settings')
        stages = {}
        for i in range(depth):
            level = round(_math.log((w_0 + w_a * i) / w_0) / _math.log(w_m))
            width = round(w_0 * w_m ** level / 8) * 8
            stages[width] = stages.get(width, 0) + 1
        inner = [int(w * bottleneck_multiplier) for w in stages]
        groups = [min(group_width, w) for w in inner]
        widths = [int(_make_divisible(w, g) / bottleneck_multiplier) for w, g in zip(inner, groups)]
        return cls(list(stages.values()), widths, groups, [bottleneck_multiplier] * len(stages), [2] * len(stages), se_ratio)

    def _get_expanded_params(self):
        return zip(self.widths, self.strides, self.depths, self.group_widths, self.bottleneck_multipliers)


class RegNet(_nn.Module):
    def __init__(self, block_params, num_classes=1000, stem_width=32, stem_type=None, block_type=None, norm_layer=None, activation=None):
        super().__init__()
        norm_layer, activation = norm_layer or _nn.BatchNorm2d, activation or _nn.ReLU
        self.stem = (stem_type or SimpleStemIN)(3, stem_width, norm_layer, activation)
        channels, stages = stem_width, _OrderedDict()
        for i, (width, stride, depth, group_width, multiplier) in enumerate(block_params._get_expanded_params(), 1):
            stages[f'block{i}'] = AnyStage(channels, width, stride, depth, block_type or ResBottleneckBlock, norm_layer, activation, group_width,
                                           multiplier, block_params.se_ratio, i)
            channels = width
        self.trunk_output = _nn.Sequential(stages)
        self.avgpool = _nn.AdaptiveAvgPool2d((1, 1))
        self.fc = _nn.Linear(channels, num_classes)

    def forward(self, x):
        return self.fc(self.avgpool(self.trunk_output(self.stem(x))).flatten(start_dim=1))


def _make(depth, w_0, w_a, w_m, group_width, se_ratio=None):
    def make(**kwargs):
        params = BlockParams.from_init_params(depth, w_0, w_a, w_m, group_width, se_ratio=se_ratio, **kwargs)
        norm_layer = kwargs.pop('norm_layer', _partial(_nn.BatchNorm2d, eps=1e-05, momentum=0.1))
        return RegNet(params, norm_layer=norm_layer, **kwargs)
    return make


_SIZES = {'IMAGENET1K_V1': 224, 'IMAGENET1K_V2': 224}
_SWAG = {'IMAGENET1K_SWAG_E2E_V1': 384, 'IMAGENET1K_SWAG_LINEAR_V1': 224}
RegNet_Y_400MF_Weights = _weights('RegNet_Y_400MF_Weights', **_SIZES)
RegNet_Y_800MF_Weights = _weights('RegNet_Y_800MF_Weights', **_SIZES)
RegNet_Y_1_6GF_Weights = _weights('RegNet_Y_1_6GF_Weights', **_SIZES)
RegNet_Y_3_2GF_Weights = _weights('RegNet_Y_3_2GF_Weights', **_SIZES)
RegNet_Y_8GF_Weights = _weights('RegNet_Y_8GF_Weights', **_SIZES)
RegNet_Y_16GF_Weights = _weights('RegNet_Y_16GF_Weights', 'IMAGENET1K_V2', **_SIZES, **_SWAG)
RegNet_Y_32GF_Weights = _weights('RegNet_Y_32GF_Weights', 'IMAGENET1K_V2', **_SIZES, **_SWAG)
RegNet_Y_128GF_Weights = _weights('RegNet_Y_128GF_Weights', 'IMAGENET1K_SWAG_E2E_V1', **_SWAG)
RegNet_X_400MF_Weights = _weights('RegNet_X_400MF_Weights', **_SIZES)
RegNet_X_800MF_Weights = _weights('RegNet_X_800MF_Weights', **_SIZES)
RegNet_X_1_6GF_Weights = _weights('RegNet_X_1_6GF_Weights', **_SIZES)
RegNet_X_3_2GF_Weights = _weights('RegNet_X_3_2GF_Weights', **_SIZES)
RegNet_X_8GF_Weights = _weights('RegNet_X_8GF_Weights', **_SIZES)
RegNet_X_16GF_Weights = _weights('RegNet_X_16GF_Weights', **_SIZES)
RegNet_X_32GF_Weights = _weights('RegNet_X_32GF_Weights', **_SIZES)
regnet_y_400mf = _builder('regnet_y_400mf', RegNet_Y_400MF_Weights, _make(16, 48, 27.89, 2.09, 8, 0.25))
regnet_y_800mf = _builder('regnet_y_800mf', RegNet_Y_800MF_Weights, _make(14, 56, 38.84, 2.4, 16, 0.25))
regnet_y_1_6gf = _builder('regnet_y_1_6gf', RegNet_Y_1_6GF_Weights, _make(27, 48, 20.71, 2.65, 24, 0.25))
regnet_y_3_2gf = _builder('regnet_y_3_2gf', RegNet_Y_3_2GF_Weights, _make(21, 80, 42.63, 2.66, 24, 0.25))
regnet_y_8gf = _builder('regnet_y_8gf', RegNet_Y_8GF_Weights, _make(17, 192, 76.82, 2.19, 56, 0.25))
regnet_y_16gf = _builder('regnet_y_16gf', RegNet_Y_16GF_Weights, _make(18, 200, 106.23, 2.48, 112, 0.25))
regnet_y_32gf = _builder('regnet_y_32gf', RegNet_Y_32GF_Weights, _make(20, 232, 115.89, 2.53, 232, 0.25))
regnet_y_128gf = _builder('regnet_y_128gf', RegNet_Y_128GF_Weights, _make(27, 456, 160.83, 2.52, 264, 0.25))
regnet_x_400mf = _builder('regnet_x_400mf', RegNet_X_400MF_Weights, _make(22, 24, 24.48, 2.54, 16))
regnet_x_800mf = _builder('regnet_x_800mf', RegNet_X_800MF_Weights, _make(16, 56, 35.73, 2.28, 16))
regnet_x_1_6gf = _builder('regnet_x_1_6gf', RegNet_X_1_6GF_Weights, _make(18, 80, 34.01, 2.25, 24))
regnet_x_3_2gf = _builder('regnet_x_3_2gf', RegNet_X_3_2GF_Weights, _make(25, 88, 26.31, 2.25, 48))
regnet_x_8gf = _builder('regnet_x_8gf', RegNet_X_8GF_Weights, _make(23, 80, 49.56, 2.88, 120))
regnet_x_16gf = _builder('regnet_x_16gf', RegNet_X_16GF_Weights, _make(22, 216, 55.59, 2.1, 128))
regnet_x_32gf = _builder('regnet_x_32gf', RegNet_X_32GF_Weights, _make(23, 320, 69.86, 2.0, 168))
