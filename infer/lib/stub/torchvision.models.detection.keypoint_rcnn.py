# Keypoint R-CNN.
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection.backbone_utils import _coco, _detector
from torchvision.models.detection.faster_rcnn import FasterRCNN, _kind, _resnet50_fpn
from torchvision.models.resnet import ResNet50_Weights
from torchvision.ops import MultiScaleRoIAlign


class KeypointRCNN(FasterRCNN):
    def __init__(self, backbone, num_classes=None, min_size=None, *args, keypoint_roi_pool=None, keypoint_head=None, keypoint_predictor=None,
                 num_keypoints=None, **kwargs):
        _kind(keypoint_roi_pool, MultiScaleRoIAlign, 'keypoint_roi_pool')
        if num_keypoints is not None and keypoint_predictor is not None:
            raise ValueError('num_keypoints should be None when keypoint_predictor is specified')
        if keypoint_head is None:
            keypoint_head = KeypointRCNNHeads(backbone.out_channels, (512,) * 8)
        if keypoint_predictor is None:
            keypoint_predictor = KeypointRCNNPredictor(512, 17 if num_keypoints is None else num_keypoints)
        super().__init__(backbone, num_classes, (640, 672, 704, 736, 768, 800) if min_size is None else min_size, *args, **kwargs)
        self.roi_heads.keypoint_roi_pool = MultiScaleRoIAlign(['0', '1', '2', '3'], 14, 2) if keypoint_roi_pool is None else keypoint_roi_pool
        self.roi_heads.keypoint_head = keypoint_head
        self.roi_heads.keypoint_predictor = keypoint_predictor


class KeypointRCNNHeads(_nn.Sequential):
    def __init__(self, in_channels, layers):
        inner = []
        for n in layers:
            conv = _nn.Conv2d(in_channels, n, 3, stride=1, padding=1)
            _nn.init.kaiming_normal_(conv.weight, mode='fan_out', nonlinearity='relu')
            _nn.init.constant_(conv.bias, 0)
            inner += [conv, _nn.ReLU(inplace=True)]
            in_channels = n
        super().__init__(*inner)


class KeypointRCNNPredictor(_nn.Module):
    def __init__(self, in_channels, num_keypoints):
        super().__init__()
        self.kps_score_lowres = _nn.ConvTranspose2d(in_channels, num_keypoints, 4, stride=2, padding=1)
        _nn.init.kaiming_normal_(self.kps_score_lowres.weight, mode='fan_out', nonlinearity='relu')
        _nn.init.constant_(self.kps_score_lowres.bias, 0)
        self.up_scale = 2
        self.out_channels = num_keypoints

    def forward(self, x):
        x = self.kps_score_lowres(x)
        return _F.interpolate(x, scale_factor=float(self.up_scale), mode='bilinear', align_corners=False, recompute_scale_factor=False)


def _make(num_classes, trained, layers, **kwargs):
    return KeypointRCNN(_resnet50_fpn(trained, layers), num_classes, **kwargs)


KeypointRCNN_ResNet50_FPN_Weights = _coco('KeypointRCNN_ResNet50_FPN_Weights', categories=2, COCO_LEGACY={}, COCO_V1={})
keypointrcnn_resnet50_fpn = _detector('keypointrcnn_resnet50_fpn', KeypointRCNN_ResNet50_FPN_Weights, ResNet50_Weights, _make, (5, 3), classes=2, eps=0.0)
