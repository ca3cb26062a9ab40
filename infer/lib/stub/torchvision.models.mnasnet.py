# torchvision.models.mnasnet.
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights

_MOMENTUM = 1 - 0.9997


class _InvertedResidual(_nn.Module):
    def __init__(self, in_ch, out_ch, kernel_size, stride, expansion_factor, bn_momentum=0.1):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f'stride should be 1 or 2 instead of {stride}')
        if kernel_size not in (3, 5):
            raise ValueError(f'kernel_size should be 3 or 5 instead of {kernel_size}')
        mid = in_ch * expansion_factor
        self.apply_residual = in_ch == out_ch and stride == 1
        self.layers = _nn.Sequential(
            _nn.Conv2d(in_ch, mid, 1, bias=False), _nn.BatchNorm2d(mid, momentum=bn_momentum), _nn.ReLU(inplace=True),
            _nn.Conv2d(mid, mid, kernel_size, stride, kernel_size // 2, groups=mid, bias=False), _nn.BatchNorm2d(mid, momentum=bn_momentum), _nn.ReLU(inplace=True),
            _nn.Conv2d(mid, out_ch, 1, bias=False), _nn.BatchNorm2d(out_ch, momentum=bn_momentum))

    def forward(self, input):
        if self.apply_residual:  #: 60
            return self.layers(input) + input
        return self.layers(input)


def _stack(in_ch, out_ch, kernel, stride, factor, repeats):
    blocks = [_InvertedResidual(in_ch, out_ch, kernel, stride, factor, _MOMENTUM)]
    for _ in range(1, repeats):
        blocks.append(_InvertedResidual(out_ch, out_ch, kernel, 1, factor, _MOMENTUM))
    return _nn.Sequential(*blocks)


def _round_to_multiple_of(val, divisor, round_up_bias=0.9):
    near = max(divisor, int(val + divisor / 2) // divisor * divisor)
    return near if near >= round_up_bias * val else near + divisor


class MNASNet(_nn.Module):
    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        if alpha <= 0.0:
            raise ValueError(f'alpha should be greater than 0.0 instead of {alpha}')
        self.alpha, self.num_classes = alpha, num_classes
        d = [_round_to_multiple_of(c * alpha, 8) for c in (32, 16, 24, 40, 80, 96, 192, 320)]
        layers = [_nn.Conv2d(3, d[0], 3, 2, 1, bias=False), _nn.BatchNorm2d(d[0], momentum=_MOMENTUM), _nn.ReLU(inplace=True),
                  _nn.Conv2d(d[0], d[0], 3, 1, 1, groups=d[0], bias=False), _nn.BatchNorm2d(d[0], momentum=_MOMENTUM), _nn.ReLU(inplace=True),
                  _nn.Conv2d(d[0], d[1], 1, bias=False), _nn.BatchNorm2d(d[1], momentum=_MOMENTUM)]
        for i, (kernel, stride, factor, repeats) in enumerate(((3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1)), 1):
            layers.append(_stack(d[i], d[i + 1], kernel, stride, factor, repeats))
        layers += [_nn.Conv2d(d[7], 1280, 1, bias=False), _nn.BatchNorm2d(1280, momentum=_MOMENTUM), _nn.ReLU(inplace=True)]
        self.layers = _nn.Sequential(*layers)
        self.classifier = _nn.Sequential(_nn.Dropout(p=dropout, inplace=True), _nn.Linear(1280, num_classes))

    def forward(self, x):
        return self.classifier(self.layers(x).mean([2, 3]))


MNASNet0_5_Weights = _weights('MNASNet0_5_Weights', IMAGENET1K_V1=224)
MNASNet0_75_Weights = _weights('MNASNet0_75_Weights', IMAGENET1K_V1=224)
MNASNet1_0_Weights = _weights('MNASNet1_0_Weights', IMAGENET1K_V1=224)
MNASNet1_3_Weights = _weights('MNASNet1_3_Weights', IMAGENET1K_V1=224)
mnasnet0_5 = _builder('mnasnet0_5', MNASNet0_5_Weights, lambda **kwargs: MNASNet(0.5, **kwargs))
mnasnet0_75 = _builder('mnasnet0_75', MNASNet0_75_Weights, lambda **kwargs: MNASNet(0.75, **kwargs))
mnasnet1_0 = _builder('mnasnet1_0', MNASNet1_0_Weights, lambda **kwargs: MNASNet(1.0, **kwargs))
mnasnet1_3 = _builder('mnasnet1_3', MNASNet1_3_Weights, lambda **kwargs: MNASNet(1.3, **kwargs))
