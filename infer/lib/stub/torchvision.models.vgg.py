# VGG: convolutions and pooling by a table of widths, where M is a pooling.
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights

cfgs = {
    'A': [64, 'M', 128, 'M', 256, 256, 'M', 512, 512, 'M', 512, 512, 'M'],
    'B': [64, 64, 'M', 128, 128, 'M', 256, 256, 'M', 512, 512, 'M', 512, 512, 'M'],
    'D': [64, 64, 'M', 128, 128, 'M'] + [256] * 3 + ['M'] + [512] * 3 + ['M'] + [512] * 3 + ['M'],
    'E': [64, 64, 'M', 128, 128, 'M'] + [256] * 4 + ['M'] + [512] * 4 + ['M'] + [512] * 4 + ['M'],
}


def make_layers(cfg, batch_norm=False):
    layers = []
    channels = 3
    for width in cfg:
        if width == 'M':
            layers.append(_nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(_nn.Conv2d(channels, width, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(_nn.BatchNorm2d(width))
        layers.append(_nn.ReLU(inplace=True))
        channels = width
    return _nn.Sequential(*layers)


class VGG(_nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = _nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = _nn.Sequential(
            _nn.Linear(512 * 7 * 7, 4096), _nn.ReLU(True), _nn.Dropout(p=dropout),
            _nn.Linear(4096, 4096), _nn.ReLU(True), _nn.Dropout(p=dropout),
            _nn.Linear(4096, num_classes),
        )
        for m in self.modules() if init_weights else ():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
                _nn.init.constant_(m.bias, 0)
            elif isinstance(m, _nn.Linear):
                _nn.init.normal_(m.weight, 0, 0.01)
                _nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.classifier(_torch.flatten(self.avgpool(self.features(x)), 1))


def _vgg(name, cls, cfg, batch_norm):
    return _builder(name, cls, lambda **kwargs: VGG(make_layers(cfgs[cfg], batch_norm), **kwargs))


VGG11_Weights = _weights('VGG11_Weights', IMAGENET1K_V1=224)
VGG11_BN_Weights = _weights('VGG11_BN_Weights', IMAGENET1K_V1=224)
VGG13_Weights = _weights('VGG13_Weights', IMAGENET1K_V1=224)
VGG13_BN_Weights = _weights('VGG13_BN_Weights', IMAGENET1K_V1=224)
VGG16_Weights = _weights('VGG16_Weights', 'IMAGENET1K_V1', IMAGENET1K_V1=224, IMAGENET1K_FEATURES=224)
VGG16_BN_Weights = _weights('VGG16_BN_Weights', IMAGENET1K_V1=224)
VGG19_Weights = _weights('VGG19_Weights', IMAGENET1K_V1=224)
VGG19_BN_Weights = _weights('VGG19_BN_Weights', IMAGENET1K_V1=224)

vgg11, vgg11_bn = _vgg('vgg11', VGG11_Weights, 'A', False), _vgg('vgg11_bn', VGG11_BN_Weights, 'A', True)
vgg13, vgg13_bn = _vgg('vgg13', VGG13_Weights, 'B', False), _vgg('vgg13_bn', VGG13_BN_Weights, 'B', True)
vgg16, vgg16_bn = _vgg('vgg16', VGG16_Weights, 'D', False), _vgg('vgg16_bn', VGG16_BN_Weights, 'D', True)
vgg19, vgg19_bn = _vgg('vgg19', VGG19_Weights, 'E', False), _vgg('vgg19_bn', VGG19_BN_Weights, 'E', True)
