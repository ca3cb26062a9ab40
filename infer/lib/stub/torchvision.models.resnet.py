# Residual networks.
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return _nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=dilation, groups=groups, bias=False, dilation=dilation)


def conv1x1(in_planes, out_planes, stride=1):
    return _nn.Conv2d(in_planes, out_planes, kernel_size=1, stride=stride, bias=False)


class BasicBlock(_nn.Module):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or _nn.BatchNorm2d
        if groups != 1 or base_width != 64:
            raise ValueError('BasicBlock only supports groups=1 and base_width=64')
        if dilation > 1:
            raise NotImplementedError('Dilation > 1 not supported in BasicBlock')
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = _nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:  #: 99
            x = self.downsample(x)
        out += x
        return self.relu(out)


class Bottleneck(_nn.Module):
    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or _nn.BatchNorm2d
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = conv1x1(inplanes, width)
        self.bn1 = norm_layer(width)
        self.conv2 = conv3x3(width, width, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = conv1x1(width, planes * self.expansion)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = _nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.downsample is not None:  #: 157
            x = self.downsample(x)
        out += x
        return self.relu(out)


class ResNet(_nn.Module):
    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False, groups=1, width_per_group=64, replace_stride_with_dilation=None,
                 norm_layer=None):
        super().__init__()
        self._norm_layer = norm_layer = norm_layer or _nn.BatchNorm2d
        self.inplanes = 64
        self.dilation = 1
        dilated = replace_stride_with_dilation or [False, False, False]
        if len(dilated) != 3:
            raise ValueError(f'replace_stride_with_dilation should be None or a 3-element tuple, got {dilated}')
        self.groups = groups
        self.base_width = width_per_group
        self.conv1 = _nn.Conv2d(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = norm_layer(self.inplanes)
        self.relu = _nn.ReLU(inplace=True)
        self.maxpool = _nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], stride=2, dilate=dilated[0])
        self.layer3 = self._make_layer(block, 256, layers[2], stride=2, dilate=dilated[1])
        self.layer4 = self._make_layer(block, 512, layers[3], stride=2, dilate=dilated[2])
        self.avgpool = _nn.AdaptiveAvgPool2d((1, 1))
        self.fc = _nn.Linear(512 * block.expansion, num_classes)
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
            elif zero_init_residual and isinstance(m, (Bottleneck, BasicBlock)):
                last = m.bn3 if isinstance(m, Bottleneck) else m.bn2
                if last.weight is not None:
                    _nn.init.constant_(last.weight, 0)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm_layer = self._norm_layer
        before = self.dilation
        if dilate:
            self.dilation *= stride
            stride = 1
        downsample = None
        out = planes * block.expansion
        if stride != 1 or self.inplanes != out:
            downsample = _nn.Sequential(conv1x1(self.inplanes, out, stride), norm_layer(out))
        layers = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, before, norm_layer)]
        self.inplanes = out
        for _ in range(1, blocks):
            layers.append(block(out, planes, groups=self.groups, base_width=self.base_width, dilation=self.dilation, norm_layer=norm_layer))
        return _nn.Sequential(*layers)

    def _forward_impl(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(_torch.flatten(self.avgpool(x), 1))

    def forward(self, x):
        return self._forward_impl(x)


def _resnet(name, cls, block, layers, **own):
    def make(**kwargs):
        return ResNet(block, layers, **{**kwargs, **own})
    return _builder(name, cls, make)


def _two(name):
    return _weights(name, IMAGENET1K_V1=224, IMAGENET1K_V2=224)


ResNet18_Weights = _weights('ResNet18_Weights', IMAGENET1K_V1=224)
ResNet34_Weights = _weights('ResNet34_Weights', IMAGENET1K_V1=224)
ResNet50_Weights = _two('ResNet50_Weights')
ResNet101_Weights = _two('ResNet101_Weights')
ResNet152_Weights = _two('ResNet152_Weights')
ResNeXt50_32X4D_Weights = _two('ResNeXt50_32X4D_Weights')
ResNeXt101_32X8D_Weights = _two('ResNeXt101_32X8D_Weights')
ResNeXt101_64X4D_Weights = _weights('ResNeXt101_64X4D_Weights', IMAGENET1K_V1=224)
Wide_ResNet50_2_Weights = _two('Wide_ResNet50_2_Weights')
Wide_ResNet101_2_Weights = _two('Wide_ResNet101_2_Weights')

resnet18 = _resnet('resnet18', ResNet18_Weights, BasicBlock, [2, 2, 2, 2])
resnet34 = _resnet('resnet34', ResNet34_Weights, BasicBlock, [3, 4, 6, 3])
resnet50 = _resnet('resnet50', ResNet50_Weights, Bottleneck, [3, 4, 6, 3])
resnet101 = _resnet('resnet101', ResNet101_Weights, Bottleneck, [3, 4, 23, 3])
resnet152 = _resnet('resnet152', ResNet152_Weights, Bottleneck, [3, 8, 36, 3])
resnext50_32x4d = _resnet('resnext50_32x4d', ResNeXt50_32X4D_Weights, Bottleneck, [3, 4, 6, 3], groups=32, width_per_group=4)
resnext101_32x8d = _resnet('resnext101_32x8d', ResNeXt101_32X8D_Weights, Bottleneck, [3, 4, 23, 3], groups=32, width_per_group=8)
resnext101_64x4d = _resnet('resnext101_64x4d', ResNeXt101_64X4D_Weights, Bottleneck, [3, 4, 23, 3], groups=64, width_per_group=4)
wide_resnet50_2 = _resnet('wide_resnet50_2', Wide_ResNet50_2_Weights, Bottleneck, [3, 4, 6, 3], width_per_group=128)
wide_resnet101_2 = _resnet('wide_resnet101_2', Wide_ResNet101_2_Weights, Bottleneck, [3, 4, 23, 3], width_per_group=128)
