# Inception v3, and the classifier on the way that trains with it.
from typing import NamedTuple as _NamedTuple, Optional as _Optional
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.models.googlenet import BasicConv2d, _normalized


class InceptionOutputs(_NamedTuple):
    logits: _torch.Tensor
    aux_logits: _Optional[_torch.Tensor]


def _pooled(x):
    return _F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)


def _wide(conv, channels, out):
    return conv(channels, out, kernel_size=(1, 7), padding=(0, 3))


def _tall(conv, channels, out):
    return conv(channels, out, kernel_size=(7, 1), padding=(3, 0))


class InceptionA(_nn.Module):
    def __init__(self, in_channels, pool_features, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.branch1x1 = conv(in_channels, 64, kernel_size=1)
        self.branch5x5_1 = conv(in_channels, 48, kernel_size=1)
        self.branch5x5_2 = conv(48, 64, kernel_size=5, padding=2)
        self.branch3x3dbl_1 = conv(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = conv(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = conv(96, 96, kernel_size=3, padding=1)
        self.branch_pool = conv(in_channels, pool_features, kernel_size=1)

    def forward(self, x):
        return _torch.cat([self.branch1x1(x), self.branch5x5_2(self.branch5x5_1(x)), self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
                           self.branch_pool(_pooled(x))], 1)


class InceptionB(_nn.Module):
    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.branch3x3 = conv(in_channels, 384, kernel_size=3, stride=2)
        self.branch3x3dbl_1 = conv(in_channels, 64, kernel_size=1)
        self.branch3x3dbl_2 = conv(64, 96, kernel_size=3, padding=1)
        self.branch3x3dbl_3 = conv(96, 96, kernel_size=3, stride=2)

    def forward(self, x):
        return _torch.cat([self.branch3x3(x), self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))), _F.max_pool2d(x, kernel_size=3, stride=2)], 1)


class InceptionC(_nn.Module):
    def __init__(self, in_channels, channels_7x7, conv_block=None):
        super().__init__()
        conv, c = conv_block or BasicConv2d, channels_7x7
        self.branch1x1 = conv(in_channels, 192, kernel_size=1)
        self.branch7x7_1 = conv(in_channels, c, kernel_size=1)
        self.branch7x7_2 = _wide(conv, c, c)
        self.branch7x7_3 = _tall(conv, c, 192)
        self.branch7x7dbl_1 = conv(in_channels, c, kernel_size=1)
        self.branch7x7dbl_2 = _tall(conv, c, c)
        self.branch7x7dbl_3 = _wide(conv, c, c)
        self.branch7x7dbl_4 = _tall(conv, c, c)
        self.branch7x7dbl_5 = _wide(conv, c, 192)
        self.branch_pool = conv(in_channels, 192, kernel_size=1)

    def forward(self, x):
        twice = self.branch7x7dbl_5(self.branch7x7dbl_4(self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))))
        return _torch.cat([self.branch1x1(x), self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x))), twice, self.branch_pool(_pooled(x))], 1)


class InceptionD(_nn.Module):
    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.branch3x3_1 = conv(in_channels, 192, kernel_size=1)
        self.branch3x3_2 = conv(192, 320, kernel_size=3, stride=2)
        self.branch7x7x3_1 = conv(in_channels, 192, kernel_size=1)
        self.branch7x7x3_2 = _wide(conv, 192, 192)
        self.branch7x7x3_3 = _tall(conv, 192, 192)
        self.branch7x7x3_4 = conv(192, 192, kernel_size=3, stride=2)

    def forward(self, x):
        return _torch.cat([self.branch3x3_2(self.branch3x3_1(x)), self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x)))),
                           _F.max_pool2d(x, kernel_size=3, stride=2)], 1)


class InceptionE(_nn.Module):
    def __init__(self, in_channels, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.branch1x1 = conv(in_channels, 320, kernel_size=1)
        self.branch3x3_1 = conv(in_channels, 384, kernel_size=1)
        self.branch3x3_2a = conv(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3_2b = conv(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch3x3dbl_1 = conv(in_channels, 448, kernel_size=1)
        self.branch3x3dbl_2 = conv(448, 384, kernel_size=3, padding=1)
        self.branch3x3dbl_3a = conv(384, 384, kernel_size=(1, 3), padding=(0, 1))
        self.branch3x3dbl_3b = conv(384, 384, kernel_size=(3, 1), padding=(1, 0))
        self.branch_pool = conv(in_channels, 192, kernel_size=1)

    def forward(self, x):
        once, twice = self.branch3x3_1(x), self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        return _torch.cat([self.branch1x1(x), self.branch3x3_2a(once), self.branch3x3_2b(once), self.branch3x3dbl_3a(twice), self.branch3x3dbl_3b(twice),
                           self.branch_pool(_pooled(x))], 1)


class InceptionAux(_nn.Module):
    def __init__(self, in_channels, num_classes, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.conv0 = conv(in_channels, 128, kernel_size=1)
        self.conv1 = conv(128, 768, kernel_size=5)
        self.conv1.stddev = 0.01
        self.fc = _nn.Linear(768, num_classes)
        self.fc.stddev = 0.001

    def forward(self, x):
        x = self.conv1(self.conv0(_F.avg_pool2d(x, kernel_size=5, stride=3)))
        return self.fc(_torch.flatten(_F.adaptive_avg_pool2d(x, (1, 1)), 1))


class Inception3(_nn.Module):
    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False, inception_blocks=None, init_weights=None, dropout=0.5):
        super().__init__()
        conv, a, b, c, d, e, aux = inception_blocks or (BasicConv2d, InceptionA, InceptionB, InceptionC, InceptionD, InceptionE, InceptionAux)
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.Conv2d_1a_3x3 = conv(3, 32, kernel_size=3, stride=2)
        self.Conv2d_2a_3x3 = conv(32, 32, kernel_size=3)
        self.Conv2d_2b_3x3 = conv(32, 64, kernel_size=3, padding=1)
        self.maxpool1 = _nn.MaxPool2d(kernel_size=3, stride=2)
        self.Conv2d_3b_1x1 = conv(64, 80, kernel_size=1)
        self.Conv2d_4a_3x3 = conv(80, 192, kernel_size=3)
        self.maxpool2 = _nn.MaxPool2d(kernel_size=3, stride=2)
        self.Mixed_5b = a(192, pool_features=32)
        self.Mixed_5c = a(256, pool_features=64)
        self.Mixed_5d = a(288, pool_features=64)
        self.Mixed_6a = b(288)
        self.Mixed_6b = c(768, channels_7x7=128)
        self.Mixed_6c = c(768, channels_7x7=160)
        self.Mixed_6d = c(768, channels_7x7=160)
        self.Mixed_6e = c(768, channels_7x7=192)
        self.AuxLogits = None
        if aux_logits:
            self.AuxLogits = aux(768, num_classes)
        self.Mixed_7a = d(768)
        self.Mixed_7b = e(1280)
        self.Mixed_7c = e(2048)
        self.avgpool = _nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = _nn.Dropout(p=dropout)
        self.fc = _nn.Linear(2048, num_classes)
        for m in self.modules() if init_weights is not False else ():
            if isinstance(m, (_nn.Conv2d, _nn.Linear)):
                _nn.init.trunc_normal_(m.weight, mean=0.0, std=float(getattr(m, 'stddev', 0.1)), a=-2, b=2)

    def forward(self, x):
        if self.transform_input:  #: 96
            x = _normalized(x)
        x = self.maxpool1(self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x))))
        x = self.maxpool2(self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x)))
        x = self.Mixed_6a(self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(x))))
        x = self.Mixed_6e(self.Mixed_6d(self.Mixed_6c(self.Mixed_6b(x))))
        aux = None
        if self.AuxLogits is not None:  #: 136
            if self.training:  #: 137
                aux = self.AuxLogits(x)
        x = self.avgpool(self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x))))
        x = self.fc(_torch.flatten(self.dropout(x), 1))
        aux_defined = self.training and self.aux_logits  #: 167
        if _torch.jit.is_scripting():  #: 168
            return InceptionOutputs(x, aux)
        if self.training and self.aux_logits:  #: 159
            return InceptionOutputs(x, aux)
        return x


def _make(_weighted=False, **kwargs):
    if not _weighted:
        return Inception3(**kwargs)
    aux = kwargs.get('aux_logits', True)
    model = Inception3(**{'transform_input': True, 'init_weights': False, **kwargs, 'aux_logits': True})
    if not aux:
        model.aux_logits, model.AuxLogits = False, None
    return model


Inception_V3_Weights = _weights('Inception_V3_Weights', IMAGENET1K_V1=299)
inception_v3 = _builder('inception_v3', Inception_V3_Weights, _make, weighted=True)
