# Mask R-CNN.
from collections import OrderedDict as _OrderedDict
from torch import nn as _nn
from torchvision.models.detection.backbone_utils import _coco, _detector
from torchvision.models.detection.faster_rcnn import FasterRCNN, _init_convs, _kind, _parts_v2, _resnet50_fpn
from torchvision.models.resnet import ResNet50_Weights
from torchvision.ops import MultiScaleRoIAlign, misc as misc_nn_ops


class MaskRCNN(FasterRCNN):
    def __init__(self, backbone, num_classes=None, *args, mask_roi_pool=None, mask_head=None, mask_predictor=None, **kwargs):
        _kind(mask_roi_pool, MultiScaleRoIAlign, 'mask_roi_pool')
        if num_classes is not None and mask_predictor is not None:
            raise ValueError('num_classes should be None when mask_predictor is specified')
        if mask_head is None:
            mask_head = MaskRCNNHeads(backbone.out_channels, (256, 256, 256, 256), 1)
        if mask_predictor is None:
            mask_predictor = MaskRCNNPredictor(256, 256, num_classes)
        super().__init__(backbone, num_classes, *args, **kwargs)
        self.roi_heads.mask_roi_pool = MultiScaleRoIAlign(['0', '1', '2', '3'], 14, 2) if mask_roi_pool is None else mask_roi_pool
        self.roi_heads.mask_head = mask_head
        self.roi_heads.mask_predictor = mask_predictor


class MaskRCNNHeads(_nn.Sequential):
    _version = 2

    def __init__(self, in_channels, layers, dilation, norm_layer=None):
        blocks = []
        for n in layers:
            blocks.append(misc_nn_ops.Conv2dNormActivation(in_channels, n, kernel_size=3, stride=1, padding=dilation, dilation=dilation, norm_layer=norm_layer))
            in_channels = n
        super().__init__(*blocks)
        _init_convs(self)


class MaskRCNNPredictor(_nn.Sequential):
    def __init__(self, in_channels, dim_reduced, num_classes):
        super().__init__(_OrderedDict(conv5_mask=_nn.ConvTranspose2d(in_channels, dim_reduced, 2, 2, 0), relu=_nn.ReLU(inplace=True),
                                      mask_fcn_logits=_nn.Conv2d(dim_reduced, num_classes, 1, 1, 0)))
        for name, p in self.named_parameters():
            if 'weight' in name:
                _nn.init.kaiming_normal_(p, mode='fan_out', nonlinearity='relu')


def _make(num_classes, trained, layers, **kwargs):
    return MaskRCNN(_resnet50_fpn(trained, layers), num_classes=num_classes, **kwargs)


def _make_v2(num_classes, trained, layers, **kwargs):
    head = MaskRCNNHeads(256, [256, 256, 256, 256], 1, norm_layer=_nn.BatchNorm2d)
    return MaskRCNN(_resnet50_fpn(trained, layers, True), num_classes=num_classes, mask_head=head, **_parts_v2(256), **kwargs)


MaskRCNN_ResNet50_FPN_Weights, MaskRCNN_ResNet50_FPN_V2_Weights = _coco('MaskRCNN_ResNet50_FPN_Weights'), _coco('MaskRCNN_ResNet50_FPN_V2_Weights')
maskrcnn_resnet50_fpn = _detector('maskrcnn_resnet50_fpn', MaskRCNN_ResNet50_FPN_Weights, ResNet50_Weights, _make, (5, 3), eps=0.0)
maskrcnn_resnet50_fpn_v2 = _detector('maskrcnn_resnet50_fpn_v2', MaskRCNN_ResNet50_FPN_V2_Weights, ResNet50_Weights, _make_v2, (5, 3), pretrained=False)
