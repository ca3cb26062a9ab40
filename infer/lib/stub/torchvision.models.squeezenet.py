# SqueezeNet: tables of (in, squeezed, expanded) channels of its Fire layers; None is a pooling.
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights


class Fire(_nn.Module):
    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = _nn.Conv2d(inplanes, squeeze_planes, kernel_size=1)
        self.squeeze_activation = _nn.ReLU(inplace=True)
        self.expand1x1 = _nn.Conv2d(squeeze_planes, expand1x1_planes, kernel_size=1)
        self.expand1x1_activation = _nn.ReLU(inplace=True)
        self.expand3x3 = _nn.Conv2d(squeeze_planes, expand3x3_planes, kernel_size=3, padding=1)
        self.expand3x3_activation = _nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return _torch.cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


_LAYERS = {
    '1_0': (96, 7, [None, (96, 16, 64), (128, 16, 64), (128, 32, 128), None, (256, 32, 128), (256, 48, 192), (384, 48, 192), (384, 64, 256), None,
                    (512, 64, 256)]),
    '1_1': (64, 3, [None, (64, 16, 64), (128, 16, 64), None, (128, 32, 128), (256, 32, 128), None, (256, 48, 192), (384, 48, 192), (384, 64, 256),
                    (512, 64, 256)]),
}


class SqueezeNet(_nn.Module):
    def __init__(self, version='1_0', num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        if version not in _LAYERS:
            raise ValueError(f'Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected')
        width, kernel, rows = _LAYERS[version]
        layers = [_nn.Conv2d(3, width, kernel_size=kernel, stride=2), _nn.ReLU(inplace=True)]
        for row in rows:
            layers.append(_nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True) if row is None else Fire(row[0], row[1], row[2], row[2]))
        self.features = _nn.Sequential(*layers)
        last = _nn.Conv2d(512, num_classes, kernel_size=1)
        self.classifier = _nn.Sequential(_nn.Dropout(p=dropout), last, _nn.ReLU(inplace=True), _nn.AdaptiveAvgPool2d((1, 1)))
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                if m is last:
                    _nn.init.normal_(m.weight, mean=0.0, std=0.01)
                else:
                    _nn.init.kaiming_uniform_(m.weight)
                _nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return _torch.flatten(self.classifier(self.features(x)), 1)


SqueezeNet1_0_Weights = _weights('SqueezeNet1_0_Weights', IMAGENET1K_V1=224)
SqueezeNet1_1_Weights = _weights('SqueezeNet1_1_Weights', IMAGENET1K_V1=224)
squeezenet1_0 = _builder('squeezenet1_0', SqueezeNet1_0_Weights, lambda **kwargs: SqueezeNet('1_0', **kwargs))
squeezenet1_1 = _builder('squeezenet1_1', SqueezeNet1_1_Weights, lambda **kwargs: SqueezeNet('1_1', **kwargs))
