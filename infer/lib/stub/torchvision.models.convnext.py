# ConvNeXt.
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.ops.misc import Conv2dNormActivation, Permute
from torchvision.ops.stochastic_depth import StochasticDepth


class LayerNorm2d(_nn.LayerNorm):
    def forward(self, x):
        x = _F.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class CNBlock(_nn.Module):
    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or _partial(_nn.LayerNorm, eps=1e-6)
        self.block = _nn.Sequential(
            _nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim, bias=True), Permute([0, 2, 3, 1]), norm_layer(dim),
            _nn.Linear(dim, 4 * dim), _nn.GELU(), _nn.Linear(4 * dim, dim), Permute([0, 3, 1, 2]),
        )
        self.layer_scale = _nn.Parameter(_torch.ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, 'row')

    def forward(self, input):
        result = self.stochastic_depth(self.layer_scale * self.block(input))
        result += input
        return result


class CNBlockConfig:
    def __init__(self, input_channels, out_channels, num_layers):
        self.input_channels = input_channels
        self.out_channels = out_channels
        self.num_layers = num_layers


class ConvNeXt(_nn.Module):
    def __init__(self, block_setting, stochastic_depth_prob=0.0, layer_scale=1e-6, num_classes=1000, block=None, norm_layer=None, **kwargs):
        super().__init__()
        if not block_setting:
            raise ValueError('The block_setting should not be empty')
        block = block or CNBlock
        norm_layer = norm_layer or _partial(LayerNorm2d, eps=1e-6)
        layers = [Conv2dNormActivation(3, block_setting[0].input_channels, kernel_size=4, stride=4, padding=0, norm_layer=norm_layer,
                                       activation_layer=None, bias=True)]
        total = sum([cnf.num_layers for cnf in block_setting])
        done = 0
        for cnf in block_setting:
            stage = []
            for _ in range(cnf.num_layers):
                stage.append(block(cnf.input_channels, layer_scale, stochastic_depth_prob * done / (total - 1.0)))
                done += 1
            layers.append(_nn.Sequential(*stage))
            width = cnf.input_channels
            if cnf.out_channels is not None:
                width = cnf.out_channels
                layers.append(_nn.Sequential(norm_layer(cnf.input_channels), _nn.Conv2d(cnf.input_channels, width, kernel_size=2, stride=2)))
        self.features = _nn.Sequential(*layers)
        self.avgpool = _nn.AdaptiveAvgPool2d(1)
        self.classifier = _nn.Sequential(norm_layer(width), _nn.Flatten(1), _nn.Linear(width, num_classes))
        for m in self.modules():
            if isinstance(m, (_nn.Conv2d, _nn.Linear)):
                _nn.init.trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    _nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))


def _convnext(name, cls, widths, deep, drop):
    def make(**kwargs):
        rows = [CNBlockConfig(w, out, n) for w, out, n in zip(widths, widths[1:] + [None], [3, 3, deep, 3])]
        return ConvNeXt(rows, stochastic_depth_prob=kwargs.pop('stochastic_depth_prob', drop), **kwargs)
    return _builder(name, cls, make)


ConvNeXt_Tiny_Weights = _weights('ConvNeXt_Tiny_Weights', IMAGENET1K_V1=224)
ConvNeXt_Small_Weights = _weights('ConvNeXt_Small_Weights', IMAGENET1K_V1=224)
ConvNeXt_Base_Weights = _weights('ConvNeXt_Base_Weights', IMAGENET1K_V1=224)
ConvNeXt_Large_Weights = _weights('ConvNeXt_Large_Weights', IMAGENET1K_V1=224)
convnext_tiny = _convnext('convnext_tiny', ConvNeXt_Tiny_Weights, [96, 192, 384, 768], 9, 0.1)
convnext_small = _convnext('convnext_small', ConvNeXt_Small_Weights, [96, 192, 384, 768], 27, 0.4)
convnext_base = _convnext('convnext_base', ConvNeXt_Base_Weights, [128, 256, 512, 1024], 27, 0.5)
convnext_large = _convnext('convnext_large', ConvNeXt_Large_Weights, [192, 384, 768, 1536], 27, 0.5)
