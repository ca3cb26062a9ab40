# Faster R-CNN.
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import _coco, _detector, _mobilenet_extractor, _resnet_fpn_extractor
from torchvision.models.detection.generalized_rcnn import GeneralizedRCNN
from torchvision.models.detection.roi_heads import RoIHeads
from torchvision.models.detection.rpn import RegionProposalNetwork, RPNHead
from torchvision.models.detection.transform import GeneralizedRCNNTransform
from torchvision.models.mobilenetv3 import MobileNet_V3_Large_Weights, mobilenet_v3_large
from torchvision.models.resnet import ResNet50_Weights, resnet50
from torchvision.ops import MultiScaleRoIAlign, misc as misc_nn_ops

_RATIOS = (0.5, 1.0, 2.0)


def _default_anchorgen():
    return AnchorGenerator(((32,), (64,), (128,), (256,), (512,)), (_RATIOS,) * 5)


def _kind(value, kind, name):
    if value is not None and not isinstance(value, kind):
        raise TypeError(f'{name} should be of type {kind.__name__} or None instead of {type(value)}')


class FasterRCNN(GeneralizedRCNN):
    def __init__(self, backbone, num_classes=None, min_size=800, max_size=1333, image_mean=None, image_std=None, rpn_anchor_generator=None, rpn_head=None,
                 rpn_pre_nms_top_n_train=2000, rpn_pre_nms_top_n_test=1000, rpn_post_nms_top_n_train=2000, rpn_post_nms_top_n_test=1000, rpn_nms_thresh=0.7,
                 rpn_fg_iou_thresh=0.7, rpn_bg_iou_thresh=0.3, rpn_batch_size_per_image=256, rpn_positive_fraction=0.5, rpn_score_thresh=0.0,
                 box_roi_pool=None, box_head=None, box_predictor=None, box_score_thresh=0.05, box_nms_thresh=0.5, box_detections_per_img=100,
                 box_fg_iou_thresh=0.5, box_bg_iou_thresh=0.5, box_batch_size_per_image=512, box_positive_fraction=0.25, bbox_reg_weights=None, **kwargs):
        if not hasattr(backbone, 'out_channels'):
            raise ValueError('backbone should contain an attribute out_channels specifying the number of output channels (assumed to be the same for all '
                             'the levels)')
        _kind(rpn_anchor_generator, AnchorGenerator, 'rpn_anchor_generator')
        _kind(box_roi_pool, MultiScaleRoIAlign, 'box_roi_pool')
        if num_classes is not None and box_predictor is not None:
            raise ValueError('num_classes should be None when box_predictor is specified')
        if num_classes is None and box_predictor is None:
            raise ValueError('num_classes should not be None when box_predictor is not specified')
        wide = backbone.out_channels
        anchors = _default_anchorgen() if rpn_anchor_generator is None else rpn_anchor_generator
        if rpn_head is None:
            rpn_head = RPNHead(wide, anchors.num_anchors_per_location()[0])
        rpn = RegionProposalNetwork(anchors, rpn_head, rpn_fg_iou_thresh, rpn_bg_iou_thresh, rpn_batch_size_per_image, rpn_positive_fraction,
                                    {'training': rpn_pre_nms_top_n_train, 'testing': rpn_pre_nms_top_n_test},
                                    {'training': rpn_post_nms_top_n_train, 'testing': rpn_post_nms_top_n_test}, rpn_nms_thresh, score_thresh=rpn_score_thresh)
        if box_roi_pool is None:
            box_roi_pool = MultiScaleRoIAlign(['0', '1', '2', '3'], 7, 2)
        if box_head is None:
            box_head = TwoMLPHead(wide * box_roi_pool.output_size[0] ** 2, 1024)
        if box_predictor is None:
            box_predictor = FastRCNNPredictor(1024, num_classes)
        heads = RoIHeads(box_roi_pool, box_head, box_predictor, box_fg_iou_thresh, box_bg_iou_thresh, box_batch_size_per_image, box_positive_fraction,
                         bbox_reg_weights, box_score_thresh, box_nms_thresh, box_detections_per_img)
        super().__init__(backbone, rpn, heads, _transform(min_size, max_size, image_mean, image_std, **kwargs))


def _transform(min_size, max_size, mean, std, **kwargs):
    return GeneralizedRCNNTransform(min_size, max_size, [0.485, 0.456, 0.406] if mean is None else mean, [0.229, 0.224, 0.225] if std is None else std, **kwargs)


class TwoMLPHead(_nn.Module):
    def __init__(self, in_channels, representation_size):
        super().__init__()
        self.fc6 = _nn.Linear(in_channels, representation_size)
        self.fc7 = _nn.Linear(representation_size, representation_size)

    def forward(self, x):
        return _F.relu(self.fc7(_F.relu(self.fc6(x.flatten(start_dim=1)))))


def _init_convs(module):
    for m in module.modules():
        if isinstance(m, _nn.Conv2d):
            _nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
            if m.bias is not None:
                _nn.init.zeros_(m.bias)


class FastRCNNConvFCHead(_nn.Sequential):
    def __init__(self, input_size, conv_layers, fc_layers, norm_layer=None):
        width, h, w = input_size
        layers = []
        for n in conv_layers:
            layers.append(misc_nn_ops.Conv2dNormActivation(width, n, norm_layer=norm_layer))
            width = n
        layers.append(_nn.Flatten())
        width *= h * w
        for n in fc_layers:
            layers += [_nn.Linear(width, n), _nn.ReLU(inplace=True)]
            width = n
        super().__init__(*layers)
        _init_convs(self)


class FastRCNNPredictor(_nn.Module):
    def __init__(self, in_channels, num_classes):
        super().__init__()
        self.cls_score = _nn.Linear(in_channels, num_classes)
        self.bbox_pred = _nn.Linear(in_channels, num_classes * 4)

    def forward(self, x):
        if x.dim() == 4:
            _torch._assert(list(x.shape[2:]) == [1, 1],
                           f'x has the wrong shape, expecting the last two dimensions to be [1,1] instead of {list(x.shape[2:])}')
        x = x.flatten(start_dim=1)
        return self.cls_score(x), self.bbox_pred(x)


def _resnet50_fpn(trained, layers, v2=False):
    # Version 2 trains its norms.
    if v2:
        return _resnet_fpn_extractor(resnet50(), layers, norm_layer=_nn.BatchNorm2d)
    return _resnet_fpn_extractor(resnet50(norm_layer=misc_nn_ops.FrozenBatchNorm2d if trained else _nn.BatchNorm2d), layers)


def _make(num_classes, trained, layers, **kwargs):
    return FasterRCNN(_resnet50_fpn(trained, layers), num_classes=num_classes, **kwargs)


def _parts_v2(wide):
    # The deeper heads of version 2.
    return {'rpn_anchor_generator': _default_anchorgen(), 'rpn_head': RPNHead(wide, 3, conv_depth=2),
            'box_head': FastRCNNConvFCHead((wide, 7, 7), [256, 256, 256, 256], [1024], norm_layer=_nn.BatchNorm2d)}


def _make_v2(num_classes, trained, layers, **kwargs):
    return FasterRCNN(_resnet50_fpn(trained, layers, True), num_classes=num_classes, **_parts_v2(256), **kwargs)


def _mobilenet(**defaults):
    def make(num_classes, trained, layers, **kwargs):
        net = mobilenet_v3_large(norm_layer=misc_nn_ops.FrozenBatchNorm2d if trained else _nn.BatchNorm2d)
        anchors = AnchorGenerator(((32, 64, 128, 256, 512),) * 3, (_RATIOS,) * 3)
        return FasterRCNN(_mobilenet_extractor(net, True, layers), num_classes, rpn_anchor_generator=anchors, **{'rpn_score_thresh': 0.05, **defaults, **kwargs})
    return make


FasterRCNN_ResNet50_FPN_Weights, FasterRCNN_ResNet50_FPN_V2_Weights = _coco('FasterRCNN_ResNet50_FPN_Weights'), _coco('FasterRCNN_ResNet50_FPN_V2_Weights')
FasterRCNN_MobileNet_V3_Large_FPN_Weights = _coco('FasterRCNN_MobileNet_V3_Large_FPN_Weights')
FasterRCNN_MobileNet_V3_Large_320_FPN_Weights = _coco('FasterRCNN_MobileNet_V3_Large_320_FPN_Weights')

fasterrcnn_resnet50_fpn = _detector('fasterrcnn_resnet50_fpn', FasterRCNN_ResNet50_FPN_Weights, ResNet50_Weights, _make, (5, 3), eps=0.0)
fasterrcnn_resnet50_fpn_v2 = _detector('fasterrcnn_resnet50_fpn_v2', FasterRCNN_ResNet50_FPN_V2_Weights, ResNet50_Weights, _make_v2, (5, 3), pretrained=False)
fasterrcnn_mobilenet_v3_large_fpn = _detector('fasterrcnn_mobilenet_v3_large_fpn', FasterRCNN_MobileNet_V3_Large_FPN_Weights, MobileNet_V3_Large_Weights,
                                              _mobilenet(), (6, 3))
fasterrcnn_mobilenet_v3_large_320_fpn = _detector(
    'fasterrcnn_mobilenet_v3_large_320_fpn', FasterRCNN_MobileNet_V3_Large_320_FPN_Weights, MobileNet_V3_Large_Weights,
    _mobilenet(min_size=320, max_size=640, rpn_pre_nms_top_n_test=150, rpn_post_nms_top_n_test=150), (6, 3))
