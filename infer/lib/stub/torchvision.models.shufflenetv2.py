# torchvision.models.shufflenetv2.
import torch as _torch
from torch import nn as _nn

from torchvision.models._api import builder as _builder, weights as _weights


def channel_shuffle(x, groups):
    b, c, h, w = x.size()
    return _torch.transpose(x.view(b, groups, c // groups, h, w), 1, 2).contiguous().view(b, c, h, w)


class InvertedResidual(_nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        if not 1 <= stride <= 3:
            raise ValueError('illegal stride value')
        self.stride = stride
        half = oup // 2
        if stride == 1 and inp != half << 1:
            raise ValueError(f'Invalid combination of stride {stride}, inp {inp} and oup {oup} values. If stride == 1 then inp should be equal to oup // 2 << 1.')
        if stride > 1:
            self.branch1 = _nn.Sequential(self.depthwise_conv(inp, inp, 3, stride, 1), _nn.BatchNorm2d(inp),
                                         _nn.Conv2d(inp, half, 1, bias=False), _nn.BatchNorm2d(half), _nn.ReLU(inplace=True))
        else:
            self.branch1 = _nn.Sequential()
        self.branch2 = _nn.Sequential(
            _nn.Conv2d(inp if stride > 1 else half, half, 1, bias=False), _nn.BatchNorm2d(half), _nn.ReLU(inplace=True),
            self.depthwise_conv(half, half, 3, stride, 1), _nn.BatchNorm2d(half),
            _nn.Conv2d(half, half, 1, bias=False), _nn.BatchNorm2d(half), _nn.ReLU(inplace=True))

    @staticmethod
    def depthwise_conv(i, o, kernel_size, stride=1, padding=0, bias=False):
        return _nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x):
        if self.stride == 1:  #: 93
            a, b = x.chunk(2, dim=1)
            out = _torch.cat((a, self.branch2(b)), dim=1)
        else:
            out = _torch.cat((self.branch1(x), self.branch2(x)), dim=1)
        return channel_shuffle(out, 2)


class ShuffleNetV2(_nn.Module):
    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=InvertedResidual):
        super().__init__()
        if len(stages_repeats) != 3:
            raise ValueError('expected stages_repeats as list of 3 positive ints')
        if len(stages_out_channels) != 5:
            raise ValueError('expected stages_out_channels as list of 5 positive ints')
        width = stages_out_channels[0]
        self.conv1 = _nn.Sequential(_nn.Conv2d(3, width, 3, 2, 1, bias=False), _nn.BatchNorm2d(width), _nn.ReLU(inplace=True))
        self.maxpool = _nn.MaxPool2d(3, 2, 1)
        for i, (repeats, out) in enumerate(zip(stages_repeats, stages_out_channels[1:]), 2):
            blocks = [inverted_residual(width, out, 2)] + [inverted_residual(out, out, 1) for _ in range(repeats - 1)]
            setattr(self, f'stage{i}', _nn.Sequential(*blocks))
            width = out
        last = stages_out_channels[-1]
        self.conv5 = _nn.Sequential(_nn.Conv2d(width, last, 1, bias=False), _nn.BatchNorm2d(last), _nn.ReLU(inplace=True))
        self.fc = _nn.Linear(last, num_classes)

    def forward(self, x):
        x = self.maxpool(self.conv1(x))
        x = self.conv5(self.stage4(self.stage3(self.stage2(x))))
        return self.fc(x.mean([2, 3]))


ShuffleNet_V2_X0_5_Weights = _weights('ShuffleNet_V2_X0_5_Weights', IMAGENET1K_V1=224)
ShuffleNet_V2_X1_0_Weights = _weights('ShuffleNet_V2_X1_0_Weights', IMAGENET1K_V1=224)
ShuffleNet_V2_X1_5_Weights = _weights('ShuffleNet_V2_X1_5_Weights', IMAGENET1K_V1=224)
ShuffleNet_V2_X2_0_Weights = _weights('ShuffleNet_V2_X2_0_Weights', IMAGENET1K_V1=224)
shufflenet_v2_x0_5 = _builder('shufflenet_v2_x0_5', ShuffleNet_V2_X0_5_Weights, lambda **kwargs: ShuffleNetV2([4, 8, 4], [24, 48, 96, 192, 1024], **kwargs))
shufflenet_v2_x1_0 = _builder('shufflenet_v2_x1_0', ShuffleNet_V2_X1_0_Weights, lambda **kwargs: ShuffleNetV2([4, 8, 4], [24, 116, 232, 464, 1024], **kwargs))
shufflenet_v2_x1_5 = _builder('shufflenet_v2_x1_5', ShuffleNet_V2_X1_5_Weights, lambda **kwargs: ShuffleNetV2([4, 8, 4], [24, 176, 352, 704, 1024], **kwargs))
shufflenet_v2_x2_0 = _builder('shufflenet_v2_x2_0', ShuffleNet_V2_X2_0_Weights, lambda **kwargs: ShuffleNetV2([4, 8, 4], [24, 244, 488, 976, 2048], **kwargs))
