# Models that give a map of classes: a backbone, a head, and another head on the way that trains
# with it. The maps have the size of the picture.
import importlib
from collections import OrderedDict as _OrderedDict
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models import mobilenetv3 as _mobilenet, resnet as _resnet
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.models._utils import IntermediateLayerGetter as _Layers, stages as _stages

_CLASSES = 21


def _sized(x, size):
    return _F.interpolate(x, size=size, mode='bilinear', align_corners=False)


class _Segmentation(_nn.Module):
    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone = backbone
        self.classifier = classifier
        self.aux_classifier = aux_classifier

    def forward(self, x):
        size, features = x.shape[-2:], self.backbone(x)
        out = _OrderedDict()
        out['out'] = _sized(self.classifier(features['out']), size)
        if self.aux_classifier is not None:
            out['aux'] = _sized(self.aux_classifier(features['aux']), size)
        return out


class FCN(_Segmentation):
    pass


class DeepLabV3(_Segmentation):
    pass


class FCNHead(_nn.Sequential):
    def __init__(self, in_channels, channels):
        inner = in_channels // 4
        super().__init__(_nn.Conv2d(in_channels, inner, 3, padding=1, bias=False), _nn.BatchNorm2d(inner), _nn.ReLU(), _nn.Dropout(0.1),
                         _nn.Conv2d(inner, channels, 1))


def _conv(channels, out, dilation=0):
    size = {'padding': dilation, 'dilation': dilation} if dilation else {}
    return [_nn.Conv2d(channels, out, 3 if dilation else 1, bias=False, **size), _nn.BatchNorm2d(out), _nn.ReLU()]


class ASPPConv(_nn.Sequential):
    def __init__(self, in_channels, out_channels, dilation):
        super().__init__(*_conv(in_channels, out_channels, dilation))


class ASPPPooling(_nn.Sequential):
    def __init__(self, in_channels, out_channels):
        super().__init__(_nn.AdaptiveAvgPool2d(1), *_conv(in_channels, out_channels))

    def forward(self, x):
        return _sized(super().forward(x), x.shape[-2:])


class ASPP(_nn.Module):
    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()
        self.convs = _nn.ModuleList([_nn.Sequential(*_conv(in_channels, out_channels)), *[ASPPConv(in_channels, out_channels, r) for r in atrous_rates],
                                     ASPPPooling(in_channels, out_channels)])
        self.project = _nn.Sequential(*_conv(len(self.convs) * out_channels, out_channels), _nn.Dropout(0.5))

    def forward(self, x):
        return self.project(_torch.cat([conv(x) for conv in self.convs], dim=1))


class DeepLabHead(_nn.Sequential):
    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        super().__init__(ASPP(in_channels, atrous_rates), _nn.Conv2d(256, 256, 3, padding=1, bias=False), _nn.BatchNorm2d(256), _nn.ReLU(),
                         _nn.Conv2d(256, num_classes, 1))


class LRASPPHead(_nn.Module):
    def __init__(self, low_channels, high_channels, num_classes, inter_channels):
        super().__init__()
        self.cbr = _nn.Sequential(_nn.Conv2d(high_channels, inter_channels, 1, bias=False), _nn.BatchNorm2d(inter_channels), _nn.ReLU(inplace=True))
        self.scale = _nn.Sequential(_nn.AdaptiveAvgPool2d(1), _nn.Conv2d(high_channels, inter_channels, 1, bias=False), _nn.Sigmoid())
        self.low_classifier = _nn.Conv2d(low_channels, num_classes, 1)
        self.high_classifier = _nn.Conv2d(inter_channels, num_classes, 1)

    def forward(self, input):
        low, high = input['low'], input['high']
        x = _sized(self.cbr(high) * self.scale(high), low.shape[-2:])
        return self.low_classifier(low) + self.high_classifier(x)


class LRASPP(_nn.Module):
    def __init__(self, backbone, low_channels, high_channels, num_classes, inter_channels=128):
        super().__init__()
        self.backbone = backbone
        self.classifier = LRASPPHead(low_channels, high_channels, num_classes, inter_channels)

    def forward(self, input):
        out = self.classifier(self.backbone(input))
        return _OrderedDict(out=_sized(out, input.shape[-2:]))


def _segmentation(name, cls, kind, head, backbone):
    def make(num_classes=None, aux_loss=None, weights_backbone=None, _weighted=False, pretrained_backbone=None, **kwargs):
        classes = _CLASSES if num_classes is None else num_classes
        if _weighted and classes != _CLASSES:
            raise ValueError(f"The parameter 'num_classes' expected value {_CLASSES} but got {num_classes} instead.")
        aux = True if _weighted and aux_loss is None else aux_loss
        if backbone == 'mobilenet_v3_large':
            net = _mobilenet.mobilenet_v3_large(dilated=True).features
            stages = _stages(net)
            layers, wide, mid = {str(stages[-1]): 'out', str(stages[-4]): 'aux'}, net[stages[-1]].out_channels, net[stages[-4]].out_channels
        else:
            net = getattr(_resnet, backbone)(replace_stride_with_dilation=[False, True, True], **kwargs)
            layers, wide, mid = {'layer4': 'out', 'layer3': 'aux'}, 2048, 1024
        if not aux:
            layers = {k: v for k, v in layers.items() if v == 'out'}
        return kind(_Layers(net, layers), head(wide, classes), FCNHead(mid, classes) if aux else None)
    return _builder(name, cls, make, weighted=True, classes=None)


def _lraspp(num_classes=None, weights_backbone=None, _weighted=False, pretrained_backbone=None, **kwargs):
    classes = _CLASSES if num_classes is None else num_classes
    if _weighted and classes != _CLASSES:
        raise ValueError(f"The parameter 'num_classes' expected value {_CLASSES} but got {num_classes} instead.")
    net = _mobilenet.mobilenet_v3_large(dilated=True).features
    stages = _stages(net)
    low, high = stages[-4], stages[-1]
    return LRASPP(_Layers(net, {str(low): 'low', str(high): 'high'}), net[low].out_channels, net[high].out_channels, classes, **kwargs)


def _of_coco(name):
    return _weights(name, categories=_CLASSES, transforms='SemanticSegmentation', COCO_WITH_VOC_LABELS_V1={'resize_size': 520})


FCN_ResNet50_Weights, FCN_ResNet101_Weights = _of_coco('FCN_ResNet50_Weights'), _of_coco('FCN_ResNet101_Weights')
DeepLabV3_ResNet50_Weights, DeepLabV3_ResNet101_Weights = _of_coco('DeepLabV3_ResNet50_Weights'), _of_coco('DeepLabV3_ResNet101_Weights')
DeepLabV3_MobileNet_V3_Large_Weights = _of_coco('DeepLabV3_MobileNet_V3_Large_Weights')
LRASPP_MobileNet_V3_Large_Weights = _of_coco('LRASPP_MobileNet_V3_Large_Weights')

fcn_resnet50 = _segmentation('fcn_resnet50', FCN_ResNet50_Weights, FCN, FCNHead, 'resnet50')
fcn_resnet101 = _segmentation('fcn_resnet101', FCN_ResNet101_Weights, FCN, FCNHead, 'resnet101')
deeplabv3_resnet50 = _segmentation('deeplabv3_resnet50', DeepLabV3_ResNet50_Weights, DeepLabV3, DeepLabHead, 'resnet50')
deeplabv3_resnet101 = _segmentation('deeplabv3_resnet101', DeepLabV3_ResNet101_Weights, DeepLabV3, DeepLabHead, 'resnet101')
deeplabv3_mobilenet_v3_large = _segmentation('deeplabv3_mobilenet_v3_large', DeepLabV3_MobileNet_V3_Large_Weights, DeepLabV3, DeepLabHead, 'mobilenet_v3_large')
lraspp_mobilenet_v3_large = _builder('lraspp_mobilenet_v3_large', LRASPP_MobileNet_V3_Large_Weights, _lraspp, weighted=True, classes=None)


def __getattr__(name):  # its parts by the names of their files
    if name in ('deeplabv3', 'fcn', 'lraspp'):
        return importlib.import_module('torchvision.models.segmentation.' + name)
    raise AttributeError(name)
