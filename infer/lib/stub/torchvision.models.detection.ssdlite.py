# SSD on a MobileNet, with separable convolutions.
from collections import OrderedDict as _OrderedDict
from functools import partial as _partial
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.models.detection.anchor_utils import DefaultBoxGenerator
from torchvision.models.detection.backbone_utils import _coco, _detector, _freeze
from torchvision.models.detection.ssd import SSD, SSDScoringHead
from torchvision.models.mobilenetv3 import MobileNet_V3_Large_Weights, mobilenet_v3_large
from torchvision.ops.misc import Conv2dNormActivation


def _conv(width, out, norm_layer, **options):
    return Conv2dNormActivation(width, out, norm_layer=norm_layer, activation_layer=_nn.ReLU6, **options)


def _prediction_block(in_channels, out_channels, kernel_size, norm_layer):
    return _nn.Sequential(_conv(in_channels, in_channels, norm_layer, kernel_size=kernel_size, groups=in_channels), _nn.Conv2d(in_channels, out_channels, 1))


def _extra_block(in_channels, out_channels, norm_layer):
    inner = out_channels // 2
    return _nn.Sequential(_conv(in_channels, inner, norm_layer, kernel_size=1), _conv(inner, inner, norm_layer, kernel_size=3, stride=2, groups=inner),
                          _conv(inner, out_channels, norm_layer, kernel_size=1))


def _normal_init(conv):
    for m in conv.modules():
        if isinstance(m, _nn.Conv2d):
            _nn.init.normal_(m.weight, mean=0.0, std=0.03)
            if m.bias is not None:
                _nn.init.constant_(m.bias, 0.0)


class SSDLiteHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes, norm_layer):
        super().__init__()
        self.classification_head = SSDLiteClassificationHead(in_channels, num_anchors, num_classes, norm_layer)
        self.regression_head = SSDLiteRegressionHead(in_channels, num_anchors, norm_layer)

    def forward(self, x):
        return {'bbox_regression': self.regression_head(x), 'cls_logits': self.classification_head(x)}


def _blocks(in_channels, num_anchors, columns, norm_layer):
    layers = _nn.ModuleList([_prediction_block(n, columns * anchors, 3, norm_layer) for n, anchors in zip(in_channels, num_anchors)])
    _normal_init(layers)
    return layers


class SSDLiteClassificationHead(SSDScoringHead):
    def __init__(self, in_channels, num_anchors, num_classes, norm_layer):
        super().__init__(_blocks(in_channels, num_anchors, num_classes, norm_layer), num_classes)


class SSDLiteRegressionHead(SSDScoringHead):
    def __init__(self, in_channels, num_anchors, norm_layer):
        super().__init__(_blocks(in_channels, num_anchors, 4, norm_layer), 4)


class SSDLiteFeatureExtractorMobileNet(_nn.Module):
    def __init__(self, backbone, c4_pos, norm_layer, width_mult=1.0, min_depth=16):
        super().__init__()
        middle = backbone[c4_pos]
        if middle.use_res_connect:
            raise ValueError('backbone[c4_pos].use_res_connect should be False')
        self.features = _nn.Sequential(_nn.Sequential(*backbone[:c4_pos], middle.block[0]), _nn.Sequential(middle.block[1:], *backbone[c4_pos + 1:]))
        widths = [backbone[-1].out_channels] + [max(min_depth, int(n * width_mult)) for n in (512, 256, 256, 128)]
        self.extra = _nn.ModuleList([_extra_block(n, out, norm_layer) for n, out in zip(widths, widths[1:])])
        _normal_init(self.extra)

    def forward(self, x):
        out = []
        for block in [*self.features, *self.extra]:
            x = block(x)
            out.append(x)
        return _OrderedDict([(str(i), f) for i, f in enumerate(out)])


def _mobilenet_extractor(backbone, trainable_layers, norm_layer):
    return SSDLiteFeatureExtractorMobileNet(backbone.features, _freeze(backbone.features, trainable_layers)[-2], norm_layer)


def _make(num_classes, trained, layers, norm_layer=None, _own=False, **kwargs):
    # A backbone without weights of its own has a narrower tail.
    norm_layer = norm_layer or _partial(_nn.BatchNorm2d, eps=0.001, momentum=0.03)
    net = mobilenet_v3_large(norm_layer=norm_layer, reduced_tail=not _own, **kwargs)
    if not _own:
        _normal_init(net)
    net = _mobilenet_extractor(net, layers, norm_layer)
    anchors = DefaultBoxGenerator([[2, 3]] * 6, min_ratio=0.2, max_ratio=0.95)
    head = SSDLiteHead(det_utils.retrieve_out_channels(net, (320, 320)), anchors.num_anchors_per_location(), num_classes, norm_layer)
    defaults = {'score_thresh': 0.001, 'nms_thresh': 0.55, 'detections_per_img': 300, 'topk_candidates': 300, 'image_mean': [0.5] * 3, 'image_std': [0.5] * 3}
    return SSD(net, anchors, (320, 320), num_classes, head=head, **{**defaults, **kwargs})


SSDLite320_MobileNet_V3_Large_Weights = _coco('SSDLite320_MobileNet_V3_Large_Weights')
ssdlite320_mobilenet_v3_large = _detector('ssdlite320_mobilenet_v3_large', SSDLite320_MobileNet_V3_Large_Weights, MobileNet_V3_Large_Weights, _make, (6, 6),
                                          own=True)
