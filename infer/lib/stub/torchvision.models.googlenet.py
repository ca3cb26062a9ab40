# GoogLeNet: blocks of four branches, and two classifiers on the way that train with it.
from typing import NamedTuple as _NamedTuple, Optional as _Optional
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights


class GoogLeNetOutputs(_NamedTuple):
    logits: _torch.Tensor
    aux_logits2: _Optional[_torch.Tensor]
    aux_logits1: _Optional[_torch.Tensor]


def _normalized(x):
    # The mean and deviation of Inception's training for pictures with ImageNet's.
    parts = [x[:, i:i + 1] * (std / 0.5) + (mean - 0.5) / 0.5 for i, (mean, std) in enumerate(((0.485, 0.229), (0.456, 0.224), (0.406, 0.225)))]
    return _torch.cat(parts, 1)


class BasicConv2d(_nn.Module):
    def __init__(self, in_channels, out_channels, **kwargs):
        super().__init__()
        self.conv = _nn.Conv2d(in_channels, out_channels, bias=False, **kwargs)
        self.bn = _nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x):
        return _F.relu(self.bn(self.conv(x)), inplace=True)


class Inception(_nn.Module):
    def __init__(self, in_channels, ch1x1, ch3x3red, ch3x3, ch5x5red, ch5x5, pool_proj, conv_block=None):
        super().__init__()
        conv = conv_block or BasicConv2d
        self.branch1 = conv(in_channels, ch1x1, kernel_size=1)
        self.branch2 = _nn.Sequential(conv(in_channels, ch3x3red, kernel_size=1), conv(ch3x3red, ch3x3, kernel_size=3, padding=1))
        self.branch3 = _nn.Sequential(conv(in_channels, ch5x5red, kernel_size=1), conv(ch5x5red, ch5x5, kernel_size=3, padding=1))
        self.branch4 = _nn.Sequential(_nn.MaxPool2d(kernel_size=3, stride=1, padding=1, ceil_mode=True), conv(in_channels, pool_proj, kernel_size=1))

    def forward(self, x):
        return _torch.cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)


class InceptionAux(_nn.Module):
    def __init__(self, in_channels, num_classes, conv_block=None, dropout=0.7):
        super().__init__()
        self.conv = (conv_block or BasicConv2d)(in_channels, 128, kernel_size=1)
        self.fc1 = _nn.Linear(2048, 1024)
        self.fc2 = _nn.Linear(1024, num_classes)
        self.dropout = _nn.Dropout(p=dropout)

    def forward(self, x):
        x = _torch.flatten(self.conv(_F.adaptive_avg_pool2d(x, (4, 4))), 1)
        return self.fc2(self.dropout(_F.relu(self.fc1(x), inplace=True)))


class GoogLeNet(_nn.Module):
    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False, init_weights=None, blocks=None, dropout=0.2, dropout_aux=0.7):
        super().__init__()
        conv, block, aux = blocks or (BasicConv2d, Inception, InceptionAux)
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.conv1 = conv(3, 64, kernel_size=7, stride=2, padding=3)
        self.maxpool1 = _nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.conv2 = conv(64, 64, kernel_size=1)
        self.conv3 = conv(64, 192, kernel_size=3, padding=1)
        self.maxpool2 = _nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception3a = block(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = block(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = _nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception4a = block(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = block(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = block(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = block(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = block(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = _nn.MaxPool2d(2, stride=2, ceil_mode=True)
        self.inception5a = block(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = block(832, 384, 192, 384, 48, 128, 128)
        self.aux1 = aux(512, num_classes, dropout=dropout_aux) if aux_logits else None
        self.aux2 = aux(528, num_classes, dropout=dropout_aux) if aux_logits else None
        self.avgpool = _nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = _nn.Dropout(p=dropout)
        self.fc = _nn.Linear(1024, num_classes)
        for m in self.modules() if init_weights is not False else ():
            if isinstance(m, (_nn.Conv2d, _nn.Linear)):
                _nn.init.trunc_normal_(m.weight, mean=0.0, std=0.01, a=-2, b=2)

    def forward(self, x):
        if self.transform_input:  #: 103
            x = _normalized(x)
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.inception4a(self.maxpool3(self.inception3b(self.inception3a(x))))
        aux1 = aux2 = None
        if self.aux1 is not None:  #: 132
            if self.training:  #: 133
                aux1 = self.aux1(x)
        x = self.inception4d(self.inception4c(self.inception4b(x)))
        if self.aux2 is not None:  #: 143
            if self.training:  #: 144
                aux2 = self.aux2(x)
        x = self.inception5b(self.inception5a(self.maxpool4(self.inception4e(x))))
        x = self.fc(self.dropout(_torch.flatten(self.avgpool(x), 1)))
        aux_defined = self.training and self.aux_logits  #: 175
        if _torch.jit.is_scripting():  #: 176
            return GoogLeNetOutputs(x, aux2, aux1)
        if self.training and self.aux_logits:  #: 167
            return GoogLeNetOutputs(x, aux2, aux1)
        return x


def _make(_weighted=False, **kwargs):
    if not _weighted:
        return GoogLeNet(**kwargs)
    aux = kwargs.get('aux_logits', False)
    model = GoogLeNet(**{'transform_input': True, 'init_weights': False, **kwargs, 'aux_logits': True})
    if not aux:
        model.aux_logits, model.aux1, model.aux2 = False, None, None
    return model


GoogLeNet_Weights = _weights('GoogLeNet_Weights', IMAGENET1K_V1=224)
googlenet = _builder('googlenet', GoogLeNet_Weights, _make, weighted=True)
