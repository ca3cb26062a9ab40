# Backbones with feature pyramids, and how detectors are made.
from torch import nn as _nn
from torchvision.models import mobilenet, resnet
from torchvision.models._api import _BUILDERS, weights as _weights
from torchvision.models._utils import IntermediateLayerGetter, stages as _stages
from torchvision.models.detection._utils import overwrite_eps
from torchvision.ops import misc as misc_nn_ops
from torchvision.ops.feature_pyramid_network import ExtraFPNBlock, FeaturePyramidNetwork, LastLevelMaxPool


class BackboneWithFPN(_nn.Module):
    def __init__(self, backbone, return_layers, in_channels_list, out_channels, extra_blocks=None, norm_layer=None):
        super().__init__()
        self.body = IntermediateLayerGetter(backbone, return_layers=return_layers)
        self.fpn = FeaturePyramidNetwork(in_channels_list, out_channels, LastLevelMaxPool() if extra_blocks is None else extra_blocks, norm_layer)
        self.out_channels = out_channels

    def forward(self, x):
        return self.fpn(self.body(x))


def resnet_fpn_backbone(backbone_name, weights=None, norm_layer=misc_nn_ops.FrozenBatchNorm2d, trainable_layers=3, returned_layers=None, extra_blocks=None,
                        pretrained=None):
    return _resnet_fpn_extractor(getattr(resnet, backbone_name)(norm_layer=norm_layer), trainable_layers, returned_layers, extra_blocks)


def _resnet_fpn_extractor(backbone, trainable_layers, returned_layers=None, extra_blocks=None, norm_layer=None):
    if trainable_layers < 0 or trainable_layers > 5:
        raise ValueError(f'Trainable layers should be in the range [0,5], got {trainable_layers}')
    trained = ['layer4', 'layer3', 'layer2', 'layer1', 'conv1'][:trainable_layers] + (['bn1'] if trainable_layers == 5 else [])
    for name, parameter in backbone.named_parameters():
        if not name.startswith(tuple(trained)):
            parameter.requires_grad_(False)
    stages = [1, 2, 3, 4] if returned_layers is None else returned_layers
    if min(stages) <= 0 or max(stages) >= 5:
        raise ValueError(f'Each returned layer should be in the range [1,4]. Got {stages}')
    names = {f'layer{k}': str(i) for i, k in enumerate(stages)}
    return BackboneWithFPN(backbone, names, [backbone.inplanes // 8 * 2 ** (k - 1) for k in stages], 256, extra_blocks, norm_layer)


def _validate_trainable_layers(is_trained, trainable_backbone_layers, max_value, default_value):
    n = trainable_backbone_layers if is_trained else max_value
    n = default_value if n is None else n
    if n < 0 or n > max_value:
        raise ValueError(f'Trainable backbone layers should be in the range [0,{max_value}], got {n} ')
    return n


def mobilenet_backbone(backbone_name, weights=None, fpn=True, norm_layer=misc_nn_ops.FrozenBatchNorm2d, trainable_layers=2, returned_layers=None,
                       extra_blocks=None, pretrained=None):
    return _mobilenet_extractor(getattr(mobilenet, backbone_name)(norm_layer=norm_layer), fpn, trainable_layers, returned_layers, extra_blocks)


def _freeze(layers, trainable_layers):
    # Freezes all but the last stages of a network of layers, and gives where its stages are.
    stages = _stages(layers)
    if trainable_layers < 0 or trainable_layers > len(stages):
        raise ValueError(f'Trainable layers should be in the range [0,{len(stages)}], got {trainable_layers} ')
    for layer in layers[:len(layers) if trainable_layers == 0 else stages[len(stages) - trainable_layers]]:
        for parameter in layer.parameters():
            parameter.requires_grad_(False)
    return stages


def _mobilenet_extractor(backbone, fpn, trainable_layers, returned_layers=None, extra_blocks=None, norm_layer=None):
    net = backbone.features
    stages = _freeze(net, trainable_layers)
    if not fpn:
        out = _nn.Sequential(net, _nn.Conv2d(net[-1].out_channels, 256, 1))
        out.out_channels = 256
        return out
    n = len(stages)
    chosen = [n - 2, n - 1] if returned_layers is None else returned_layers
    if min(chosen) < 0 or max(chosen) >= n:
        raise ValueError(f'Each returned layer should be in the range [0,{n - 1}], got {chosen} ')
    names = {str(stages[k]): str(i) for i, k in enumerate(chosen)}
    return BackboneWithFPN(net, names, [net[stages[k]].out_channels for k in chosen], 256, extra_blocks, norm_layer)


def _coco(name, categories=91, **entries):
    return _weights(name, categories=categories, transforms='ObjectDetection', **(entries or {'COCO_V1': {}}))


def _detector(name, cls, backbone_cls, make, layers, pretrained=True, classes=91, entry='IMAGENET1K_V1', own=False, eps=None):
    # The function that makes a detector: make takes the number of classes, whether it or its backbone gets weights, and how many
    # stages of the backbone train. Layers: how many may, and how many do. Pretrained: whether the backbone has weights unless told otherwise.
    # Own: whether make is told if the backbone gets weights of its own. Eps: of the frozen norms that weights of its own go with.
    default = getattr(backbone_cls, entry)

    def build(weights=None, progress=True, num_classes=None, weights_backbone=default if pretrained else None, trainable_backbone_layers=None, **kwargs):
        weights = cls.picked(kwargs.pop('pretrained', weights), 'COCO_V1')
        weights_backbone = backbone_cls.picked(kwargs.pop('pretrained_backbone', weights_backbone), entry)
        if weights is not None:
            weights_backbone = None
            if num_classes is not None and num_classes != classes:
                raise ValueError(f"The parameter 'num_classes' expected value {classes} but got {num_classes} instead.")
        if num_classes is None:
            num_classes = classes
        if own:
            kwargs['_own'] = weights_backbone is not None
        trained = weights is not None or weights_backbone is not None
        model = make(num_classes, trained, _validate_trainable_layers(trained, trainable_backbone_layers, *layers), **kwargs)
        if weights is not None and eps is not None:
            overwrite_eps(model, eps)
        return model
    build.__name__ = build.__qualname__ = name
    _BUILDERS[name] = build
    return build
