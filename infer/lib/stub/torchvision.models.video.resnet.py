# Residual networks of films: convolutions over time and space, over space alone, or one after the other.
from torch import nn as _nn
from torchvision.models._api import builder as _builder, kinetics as _kinetics


class Conv3DSimple(_nn.Conv3d):
    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, (3, 3, 3), stride=stride, padding=padding, bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


class Conv3DNoTemporal(_nn.Conv3d):
    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, (1, 3, 3), stride=(1, stride, stride), padding=(0, padding, padding), bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return 1, stride, stride


def _apart(width, inner, out, size=3, stride=1, padding=1, time=1, after=False):
    # A convolution over space, then one over time.
    layers = [_nn.Conv3d(width, inner, (1, size, size), stride=(1, stride, stride), padding=(0, padding, padding), bias=False), _nn.BatchNorm3d(inner),
              _nn.ReLU(inplace=True), _nn.Conv3d(inner, out, (3, 1, 1), stride=(time, 1, 1), padding=(1, 0, 0), bias=False)]
    return layers + [_nn.BatchNorm3d(out), _nn.ReLU(inplace=True)] if after else layers


class Conv2Plus1D(_nn.Sequential):
    def __init__(self, in_planes, out_planes, midplanes, stride=1, padding=1):
        super().__init__(*_apart(in_planes, midplanes, out_planes, stride=stride, padding=padding, time=stride))

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride


def _inner(width, planes):
    # The width for which a convolution in two parts has as many weights as one of 3×3×3.
    return width * planes * 27 // (width * 9 + 3 * planes)


class _Block(_nn.Module):
    def forward(self, x):
        out = self._branch(x)
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class BasicBlock(_Block):
    expansion = 1

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        n = _inner(inplanes, planes)
        self.conv1 = _nn.Sequential(conv_builder(inplanes, planes, n, stride), _nn.BatchNorm3d(planes), _nn.ReLU(inplace=True))
        self.conv2 = _nn.Sequential(conv_builder(planes, planes, n), _nn.BatchNorm3d(planes))
        self.relu = _nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def _branch(self, x):
        return self.conv2(self.conv1(x))


class Bottleneck(_Block):
    expansion = 4

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        out = planes * self.expansion
        self.conv1 = _nn.Sequential(_nn.Conv3d(inplanes, planes, 1, bias=False), _nn.BatchNorm3d(planes), _nn.ReLU(inplace=True))
        self.conv2 = _nn.Sequential(conv_builder(planes, planes, _inner(inplanes, planes), stride), _nn.BatchNorm3d(planes), _nn.ReLU(inplace=True))
        self.conv3 = _nn.Sequential(_nn.Conv3d(planes, out, 1, bias=False), _nn.BatchNorm3d(out))
        self.relu = _nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def _branch(self, x):
        return self.conv3(self.conv2(self.conv1(x)))


class BasicStem(_nn.Sequential):
    def __init__(self):
        super().__init__(_nn.Conv3d(3, 64, (3, 7, 7), stride=(1, 2, 2), padding=(1, 3, 3), bias=False), _nn.BatchNorm3d(64), _nn.ReLU(inplace=True))


class R2Plus1dStem(_nn.Sequential):
    def __init__(self):
        super().__init__(*_apart(3, 45, 64, size=7, stride=2, padding=3, after=True))


class VideoResNet(_nn.Module):
    def __init__(self, block, conv_makers, layers, stem, num_classes=400, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.stem = stem()
        self.layer1, self.layer2, self.layer3, self.layer4 = [
            self._make_layer(block, conv, 64 << i, n, stride=2 if i else 1) for i, (conv, n) in enumerate(zip(conv_makers, layers))]
        self.avgpool = _nn.AdaptiveAvgPool3d((1, 1, 1))
        self.fc = _nn.Linear(512 * block.expansion, num_classes)
        for m in self.modules():
            if isinstance(m, _nn.Conv3d):
                _nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
            elif isinstance(m, _nn.BatchNorm3d):
                _nn.init.constant_(m.weight, 1)
                _nn.init.constant_(m.bias, 0)
            elif isinstance(m, _nn.Linear):
                _nn.init.normal_(m.weight, 0, 0.01)
                _nn.init.constant_(m.bias, 0)

    def _make_layer(self, block, conv_builder, planes, blocks, stride=1):
        out, downsample = planes * block.expansion, None
        if stride != 1 or self.inplanes != out:
            step = conv_builder.get_downsample_stride(stride)
            downsample = _nn.Sequential(_nn.Conv3d(self.inplanes, out, 1, stride=step, bias=False), _nn.BatchNorm3d(out))
        layers = [block(self.inplanes, planes, conv_builder, stride, downsample)]
        self.inplanes = out
        return _nn.Sequential(*layers, *[block(out, planes, conv_builder) for _ in range(1, blocks)])

    def forward(self, x):
        x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.fc(self.avgpool(x).flatten(1))


def _resnet(name, cls, convs, stem):
    return _builder(name, cls, lambda **kwargs: VideoResNet(BasicBlock, convs, [2, 2, 2, 2], stem, **kwargs), legacy='KINETICS400_V1', classes=400)


R3D_18_Weights, MC3_18_Weights, R2Plus1D_18_Weights = [
    _kinetics(name, crop_size=(112, 112), resize_size=(128, 171)) for name in ('R3D_18_Weights', 'MC3_18_Weights', 'R2Plus1D_18_Weights')]
r3d_18 = _resnet('r3d_18', R3D_18_Weights, [Conv3DSimple] * 4, BasicStem)
mc3_18 = _resnet('mc3_18', MC3_18_Weights, [Conv3DSimple] + [Conv3DNoTemporal] * 3, BasicStem)
r2plus1d_18 = _resnet('r2plus1d_18', R2Plus1D_18_Weights, [Conv2Plus1D] * 4, R2Plus1dStem)
