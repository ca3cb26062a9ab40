# DenseNet: each layer takes the concatenation of all before it.
from collections import OrderedDict as _OrderedDict
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torch.utils.checkpoint import checkpoint as _checkpoint
from torchvision.models._api import builder as _builder, weights as _weights


class _DenseLayer(_nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        self.norm1 = _nn.BatchNorm2d(num_input_features)
        self.relu1 = _nn.ReLU(inplace=True)
        self.conv1 = _nn.Conv2d(num_input_features, bn_size * growth_rate, kernel_size=1, stride=1, bias=False)
        self.norm2 = _nn.BatchNorm2d(bn_size * growth_rate)
        self.relu2 = _nn.ReLU(inplace=True)
        self.conv2 = _nn.Conv2d(bn_size * growth_rate, growth_rate, kernel_size=3, stride=1, padding=1, bias=False)
        self.drop_rate = float(drop_rate)
        self.memory_efficient = memory_efficient

    def forward(self, input):
        if isinstance(input, _torch.Tensor):  #: 77
            input = [input]
        if self.memory_efficient and any([x.requires_grad for x in input]):  #: 82
            x = _checkpoint(self._bottleneck, *input, use_reentrant=False)
        else:
            x = self._bottleneck(*input)
        x = self.conv2(self.relu2(self.norm2(x)))
        if self.drop_rate > 0:  #: 91
            x = _F.dropout(x, p=self.drop_rate, training=self.training)
        return x

    def _bottleneck(self, *inputs):
        return self.conv1(self.relu1(self.norm1(_torch.cat(inputs, 1))))


class _DenseBlock(_nn.ModuleDict):
    _version = 2

    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False):
        super().__init__()
        for i in range(num_layers):
            layer = _DenseLayer(num_input_features + i * growth_rate, growth_rate, bn_size, drop_rate, memory_efficient)
            self.add_module(f'denselayer{i + 1}', layer)

    def forward(self, init_features):
        features = [init_features]
        for layer in self.values():  #: 121
            features.append(layer(features))
        return _torch.cat(features, 1)


class _Transition(_nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.norm = _nn.BatchNorm2d(num_input_features)
        self.relu = _nn.ReLU(inplace=True)
        self.conv = _nn.Conv2d(num_input_features, num_output_features, kernel_size=1, stride=1, bias=False)
        self.pool = _nn.AvgPool2d(kernel_size=2, stride=2)


class DenseNet(_nn.Module):
    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0, num_classes=1000,
                 memory_efficient=False):
        super().__init__()
        self.features = _nn.Sequential(_OrderedDict([
            ('conv0', _nn.Conv2d(3, num_init_features, kernel_size=7, stride=2, padding=3, bias=False)),
            ('norm0', _nn.BatchNorm2d(num_init_features)),
            ('relu0', _nn.ReLU(inplace=True)),
            ('pool0', _nn.MaxPool2d(kernel_size=3, stride=2, padding=1)),
        ]))
        width = num_init_features
        for i, n in enumerate(block_config):
            self.features.add_module(f'denseblock{i + 1}', _DenseBlock(n, width, bn_size, growth_rate, drop_rate, memory_efficient))
            width += n * growth_rate
            if i != len(block_config) - 1:
                self.features.add_module(f'transition{i + 1}', _Transition(width, width // 2))
                width //= 2
        self.features.add_module('norm5', _nn.BatchNorm2d(width))
        self.classifier = _nn.Linear(width, num_classes)
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, _nn.Linear):
                _nn.init.constant_(m.bias, 0)

    def forward(self, x):
        x = _F.relu(self.features(x), inplace=True)
        return self.classifier(_torch.flatten(_F.adaptive_avg_pool2d(x, (1, 1)), 1))


def _densenet(name, cls, *config):
    return _builder(name, cls, lambda **kwargs: DenseNet(*config, **kwargs))


DenseNet121_Weights = _weights('DenseNet121_Weights', IMAGENET1K_V1=224)
DenseNet161_Weights = _weights('DenseNet161_Weights', IMAGENET1K_V1=224)
DenseNet169_Weights = _weights('DenseNet169_Weights', IMAGENET1K_V1=224)
DenseNet201_Weights = _weights('DenseNet201_Weights', IMAGENET1K_V1=224)
densenet121 = _densenet('densenet121', DenseNet121_Weights, 32, (6, 12, 24, 16), 64)
densenet161 = _densenet('densenet161', DenseNet161_Weights, 48, (6, 12, 36, 24), 96)
densenet169 = _densenet('densenet169', DenseNet169_Weights, 32, (6, 12, 32, 32), 64)
densenet201 = _densenet('densenet201', DenseNet201_Weights, 32, (6, 12, 48, 32), 64)
