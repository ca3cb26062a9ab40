# S3D: blocks of four branches, whose convolutions go over space, then over time.
from functools import partial as _partial
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, kinetics as _kinetics
from torchvision.ops.misc import Conv3dNormActivation


class TemporalSeparableConv(_nn.Sequential):
    def __init__(self, in_planes, out_planes, kernel_size, stride, padding, norm_layer):
        k, s, p = kernel_size, stride, padding
        super().__init__(Conv3dNormActivation(in_planes, out_planes, (1, k, k), (1, s, s), (0, p, p), bias=False, norm_layer=norm_layer),
                         Conv3dNormActivation(out_planes, out_planes, (k, 1, 1), (s, 1, 1), (p, 0, 0), bias=False, norm_layer=norm_layer))


def _narrow(width, out, norm_layer):
    return Conv3dNormActivation(width, out, kernel_size=1, stride=1, norm_layer=norm_layer)


class SepInceptionBlock3D(_nn.Module):
    def __init__(self, in_planes, b0_out, b1_mid, b1_out, b2_mid, b2_out, b3_out, norm_layer):
        super().__init__()
        self.branch0 = _narrow(in_planes, b0_out, norm_layer)
        self.branch1 = _nn.Sequential(_narrow(in_planes, b1_mid, norm_layer), TemporalSeparableConv(b1_mid, b1_out, 3, 1, 1, norm_layer))
        self.branch2 = _nn.Sequential(_narrow(in_planes, b2_mid, norm_layer), TemporalSeparableConv(b2_mid, b2_out, 3, 1, 1, norm_layer))
        self.branch3 = _nn.Sequential(_nn.MaxPool3d((3, 3, 3), stride=1, padding=1), _narrow(in_planes, b3_out, norm_layer))

    def forward(self, x):
        return _torch.cat((self.branch0(x), self.branch1(x), self.branch2(x), self.branch3(x)), 1)


# Widths of the branches of each block, or kernel, stride and padding of a pooling.
_LAYERS = [
    (64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64), ((3, 3, 3), (2, 2, 2), (1, 1, 1)), (192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64),
    (128, 128, 256, 24, 64, 64), (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128), ((2, 2, 2), (2, 2, 2), (0, 0, 0)),
    (256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128),
]


class S3D(_nn.Module):
    def __init__(self, num_classes=400, dropout=0.2, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or _partial(_nn.BatchNorm3d, eps=0.001, momentum=0.001)

        def pool():
            return _nn.MaxPool3d((1, 3, 3), stride=(1, 2, 2), padding=(0, 1, 1))

        layers = [TemporalSeparableConv(3, 64, 7, 2, 3, norm_layer), pool(), _narrow(64, 64, norm_layer), TemporalSeparableConv(64, 192, 3, 1, 1, norm_layer),
                  pool()]
        width = 192
        for row in _LAYERS:
            if len(row) == 3:
                layers.append(_nn.MaxPool3d(*row))
            else:
                layers.append(SepInceptionBlock3D(width, *row, norm_layer))
                width = row[0] + row[2] + row[4] + row[5]
        self.features = _nn.Sequential(*layers)
        self.avgpool = _nn.AvgPool3d((2, 7, 7), stride=1)
        self.classifier = _nn.Sequential(_nn.Dropout(p=dropout), _nn.Conv3d(1024, num_classes, 1, stride=1, bias=True))

    def forward(self, x):
        return _torch.mean(self.classifier(self.avgpool(self.features(x))), dim=(2, 3, 4))


S3D_Weights = _kinetics('S3D_Weights', crop_size=(224, 224), resize_size=(256, 256))
s3d = _builder('s3d', S3D_Weights, S3D, legacy='KINETICS400_V1', classes=400)
