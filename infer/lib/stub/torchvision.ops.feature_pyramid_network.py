# Feature pyramids.
from collections import OrderedDict as _OrderedDict
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.ops.misc import Conv2dNormActivation


class ExtraFPNBlock(_nn.Module):
    def forward(self, results, x, names):
        pass


class FeaturePyramidNetwork(_nn.Module):
    _version = 2

    def __init__(self, in_channels_list, out_channels, extra_blocks=None, norm_layer=None):
        super().__init__()
        self.inner_blocks = _nn.ModuleList()
        self.layer_blocks = _nn.ModuleList()
        for width in in_channels_list:
            if width == 0:
                raise ValueError('in_channels=0 is currently not supported')
            self.inner_blocks.append(Conv2dNormActivation(width, out_channels, kernel_size=1, padding=0, norm_layer=norm_layer, activation_layer=None))
            self.layer_blocks.append(Conv2dNormActivation(out_channels, out_channels, kernel_size=3, norm_layer=norm_layer, activation_layer=None))
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_uniform_(m.weight, a=1)
                if m.bias is not None:
                    _nn.init.constant_(m.bias, 0)
        if extra_blocks is not None and not isinstance(extra_blocks, ExtraFPNBlock):
            raise TypeError(f'extra_blocks should be of type ExtraFPNBlock not {type(extra_blocks)}')
        self.extra_blocks = extra_blocks

    def forward(self, x):
        names, x = list(x.keys()), list(x.values())
        last = self.inner_blocks[-1](x[-1])
        results = [self.layer_blocks[-1](last)]
        for i in range(len(x) - 2, -1, -1):
            lateral = self.inner_blocks[i](x[i])
            last = lateral + _F.interpolate(last, size=lateral.shape[-2:], mode='nearest')
            results.insert(0, self.layer_blocks[i](last))
        if self.extra_blocks is not None:
            results, names = self.extra_blocks(results, x, names)
        return _OrderedDict(list(zip(names, results)))


class LastLevelMaxPool(ExtraFPNBlock):
    def forward(self, x, y, names):
        names.append('pool')
        x.append(_F.max_pool2d(x[-1], 1, 2, 0))
        return x, names


class LastLevelP6P7(ExtraFPNBlock):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.p6 = _nn.Conv2d(in_channels, out_channels, 3, 2, 1)
        self.p7 = _nn.Conv2d(out_channels, out_channels, 3, 2, 1)
        for module in (self.p6, self.p7):
            _nn.init.kaiming_uniform_(module.weight, a=1)
            _nn.init.constant_(module.bias, 0)
        self.use_P5 = in_channels == out_channels

    def forward(self, p, c, names):
        p6 = self.p6(p[-1] if self.use_P5 else c[-1])
        p.extend([p6, self.p7(_F.relu(p6))])
        names.extend(['p6', 'p7'])
        return p, names
