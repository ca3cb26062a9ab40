# FCOS: one box for each place, and how near the place is to the middle of its box.
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import _coco, _detector
from torchvision.models.detection.faster_rcnn import _transform
from torchvision.models.detection.retinanet import _OneStage, _backbone, _normal, _rare
from torchvision.models.resnet import ResNet50_Weights
from torchvision.ops import generalized_box_iou_loss, sigmoid_focal_loss


def _tower(width, num_convs, norm_layer):
    norm_layer = norm_layer or _partial(_nn.GroupNorm, 32)
    layers = []
    for _ in range(num_convs):
        layers += [_nn.Conv2d(width, width, 3, stride=1, padding=1), norm_layer(width), _nn.ReLU()]
    _normal(*layers)
    return _nn.Sequential(*layers)


def _near(sides):
    # The smaller of two distances as a part of the larger.
    return sides.min(dim=-1)[0] / sides.max(dim=-1)[0]


class FCOSHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes, num_convs=4):
        super().__init__()
        self.box_coder = det_utils.BoxLinearCoder(normalize_by_size=True)
        self.classification_head = FCOSClassificationHead(in_channels, num_anchors, num_classes, num_convs)
        self.regression_head = FCOSRegressionHead(in_channels, num_anchors, num_convs)

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        labels, boxes = [], []
        for t, which in zip(targets, matched_idxs):
            if len(t['labels']) == 0:
                label, box = t['labels'].new_zeros((len(which),)), t['boxes'].new_zeros((len(which), 4))
            else:
                label, box = t['labels'][which.clip(min=0)], t['boxes'][which.clip(min=0)]
            label[which < 0] = -1
            labels.append(label)
            boxes.append(box)
        labels, boxes, anchors = _torch.stack(labels), _torch.stack(boxes), _torch.stack(anchors)
        found = labels >= 0
        n = max(1, found.sum().item())
        true = _torch.zeros_like(head_outputs['cls_logits'])
        true[found, labels[found]] = 1.0
        moved = self.box_coder.decode(head_outputs['bbox_regression'], anchors)
        sides = self.box_coder.encode(anchors, boxes)
        near = _torch.sqrt(_near(sides[:, :, [0, 2]]) * _near(sides[:, :, [1, 3]]))
        guessed = head_outputs['bbox_ctrness'].squeeze(dim=2)
        return {'classification': sigmoid_focal_loss(head_outputs['cls_logits'], true, reduction='sum') / n,
                'bbox_regression': generalized_box_iou_loss(moved[found], boxes[found], reduction='sum') / n,
                'bbox_ctrness': _F.binary_cross_entropy_with_logits(guessed[found], near[found], reduction='sum') / n}

    def forward(self, x):
        logits = self.classification_head(x)
        boxes, near = self.regression_head(x)
        return {'cls_logits': logits, 'bbox_regression': boxes, 'bbox_ctrness': near}


class FCOSClassificationHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes, num_convs=4, prior_probability=0.01, norm_layer=None):
        super().__init__()
        self.num_classes = num_classes
        self.num_anchors = num_anchors
        self.conv = _tower(in_channels, num_convs, norm_layer)
        self.cls_logits = _nn.Conv2d(in_channels, num_anchors * num_classes, 3, stride=1, padding=1)
        _normal(self.cls_logits)
        _rare(self.cls_logits, prior_probability)

    def forward(self, x):
        return _torch.cat([det_utils._by_place(self.cls_logits(self.conv(f)), self.num_classes) for f in x], dim=1)


class FCOSRegressionHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_convs=4, norm_layer=None):
        super().__init__()
        self.conv = _tower(in_channels, num_convs, norm_layer)
        self.bbox_reg = _nn.Conv2d(in_channels, num_anchors * 4, 3, stride=1, padding=1)
        self.bbox_ctrness = _nn.Conv2d(in_channels, num_anchors, 3, stride=1, padding=1)
        _normal(self.bbox_reg, self.bbox_ctrness)

    def forward(self, x):
        boxes, near = [], []
        for f in x:
            inner = self.conv(f)
            boxes.append(det_utils._by_place(_F.relu(self.bbox_reg(inner)), 4))
            near.append(det_utils._by_place(self.bbox_ctrness(inner), 1))
        return _torch.cat(boxes, dim=1), _torch.cat(near, dim=1)


class FCOS(_OneStage):
    def __init__(self, backbone, num_classes, min_size=800, max_size=1333, image_mean=None, image_std=None, anchor_generator=None, head=None,
                 center_sampling_radius=1.5, score_thresh=0.2, nms_thresh=0.6, detections_per_img=100, topk_candidates=1000, **kwargs):
        super().__init__()
        self._setup(backbone, anchor_generator, lambda: AnchorGenerator(((8,), (16,), (32,), (64,), (128,)), ((1.0,),) * 5))
        n = self.anchor_generator.num_anchors_per_location()[0]
        if n != 1:
            raise ValueError(f'anchor_generator.num_anchors_per_location()[0] should be 1 instead of {n}')
        self.head = FCOSHead(backbone.out_channels, n, num_classes) if head is None else head
        self.box_coder = det_utils.BoxLinearCoder(normalize_by_size=True)
        self.transform = _transform(min_size, max_size, image_mean, image_std, **kwargs)
        self.center_sampling_radius = center_sampling_radius
        self._limits(score_thresh, nms_thresh, detections_per_img, topk_candidates)

    def _match(self, anchors, boxes, counts):
        # Of each place the smallest box that it is in, near the middle of which it is and whose size fits its level.
        at, size = (anchors[:, :2] + anchors[:, 2:]) / 2, anchors[:, 2] - anchors[:, 0]
        low, high = boxes[:, :2], boxes[:, 2:]
        fits = (at[:, None] - (low + high) / 2).abs().max(dim=2).values < self.center_sampling_radius * size[:, None]
        sides = _torch.cat((at[:, None] - low, high - at[:, None]), dim=2)
        least, most = size * 4, size * 8
        least[:counts[0]] = 0
        most[-counts[-1]:] = float('inf')
        far = sides.max(dim=2).values
        fits = fits & (sides.min(dim=2).values > 0) & (far > least[:, None]) & (far < most[:, None])
        area = (high - low)[:, 0] * (high - low)[:, 1]
        best, which = (fits.to(_torch.float32) * (1e8 - area)).max(dim=1)
        which[best < 1e-5] = -1
        return which

    def compute_loss(self, targets, head_outputs, anchors, num_anchors_per_level):
        matched = [self._unmatched(a) if t['boxes'].numel() == 0 else self._match(a, t['boxes'], num_anchors_per_level) for a, t in zip(anchors, targets)]
        return self.head.compute_loss(targets, head_outputs, anchors, matched)

    def _losses(self, targets, outputs, anchors, counts):
        return self.compute_loss(targets, outputs, anchors, counts)

    def _scores(self, at):
        return _torch.sqrt(_torch.sigmoid(at['cls_logits']) * _torch.sigmoid(at['bbox_ctrness']))

    def _decode(self, codes, anchors):
        return self.box_coder.decode(codes, anchors)


def _make(num_classes, trained, layers, **kwargs):
    return FCOS(_backbone(trained, layers), num_classes, **kwargs)


FCOS_ResNet50_FPN_Weights = _coco('FCOS_ResNet50_FPN_Weights')
fcos_resnet50_fpn = _detector('fcos_resnet50_fpn', FCOS_ResNet50_FPN_Weights, ResNet50_Weights, _make, (5, 3))
