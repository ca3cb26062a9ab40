# RetinaNet; and what detectors of one stage do alike.
import math as _math
from functools import partial as _partial
import torch as _torch
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.backbone_utils import _coco, _detector, _resnet_fpn_extractor
from torchvision.models.detection.faster_rcnn import _RATIOS, _kind, _transform
from torchvision.models.detection.generalized_rcnn import _Detector, _begin, _features
from torchvision.models.resnet import ResNet50_Weights, resnet50
from torchvision.ops import boxes as box_ops, misc as misc_nn_ops, sigmoid_focal_loss
from torchvision.ops.feature_pyramid_network import LastLevelP6P7


def _default_anchorgen():
    sizes = tuple([(n, int(n * 2 ** (1.0 / 3)), int(n * 2 ** (2.0 / 3))) for n in (32, 64, 128, 256, 512)])
    return AnchorGenerator(sizes, (_RATIOS,) * 5)


def _normal(*layers):
    for m in layers:
        if isinstance(m, _nn.Conv2d):
            _nn.init.normal_(m.weight, std=0.01)
            if m.bias is not None:
                _nn.init.constant_(m.bias, 0)


def _rare(conv, prior):
    # At first each class has this probability.
    _nn.init.constant_(conv.bias, -_math.log((1 - prior) / prior))



class RetinaNetHead(_nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes, norm_layer=None):
        super().__init__()
        self.classification_head = RetinaNetClassificationHead(in_channels, num_anchors, num_classes, norm_layer=norm_layer)
        self.regression_head = RetinaNetRegressionHead(in_channels, num_anchors, norm_layer=norm_layer)

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        return {'classification': self.classification_head.compute_loss(targets, head_outputs, matched_idxs),
                'bbox_regression': self.regression_head.compute_loss(targets, head_outputs, anchors, matched_idxs)}

    def forward(self, x):
        return {'cls_logits': self.classification_head(x), 'bbox_regression': self.regression_head(x)}


def _tower(width, norm_layer):
    conv = _nn.Sequential(*[misc_nn_ops.Conv2dNormActivation(width, width, norm_layer=norm_layer) for _ in range(4)])
    _normal(*conv.modules())
    return conv


class RetinaNetClassificationHead(_nn.Module):
    _version = 2

    def __init__(self, in_channels, num_anchors, num_classes, prior_probability=0.01, norm_layer=None):
        super().__init__()
        self.conv = _tower(in_channels, norm_layer)
        self.cls_logits = _nn.Conv2d(in_channels, num_anchors * num_classes, 3, stride=1, padding=1)
        _normal(self.cls_logits)
        _rare(self.cls_logits, prior_probability)
        self.num_classes = num_classes
        self.num_anchors = num_anchors
        self.BETWEEN_THRESHOLDS = det_utils.Matcher.BETWEEN_THRESHOLDS

    def compute_loss(self, targets, head_outputs, matched_idxs):
        losses = []
        for i, t in enumerate(targets):
            logits, which = head_outputs['cls_logits'][i], matched_idxs[i]
            found = which >= 0
            true = _torch.zeros_like(logits)
            true[found, t['labels'][which[found]]] = 1.0
            sure = which != self.BETWEEN_THRESHOLDS
            losses.append(sigmoid_focal_loss(logits[sure], true[sure], reduction='sum') / max(1, found.sum()))
        return sum(losses[1:], losses[0]) / len(targets)

    def forward(self, x):
        return _torch.cat([det_utils._by_place(self.cls_logits(self.conv(f)), self.num_classes) for f in x], dim=1)


class RetinaNetRegressionHead(_nn.Module):
    _version = 2

    def __init__(self, in_channels, num_anchors, norm_layer=None):
        super().__init__()
        self.conv = _tower(in_channels, norm_layer)
        self.bbox_reg = _nn.Conv2d(in_channels, num_anchors * 4, 3, stride=1, padding=1)
        _normal(self.bbox_reg)
        self.box_coder = det_utils.BoxCoder(weights=(1.0, 1.0, 1.0, 1.0))
        self._loss_type = 'l1'

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        losses = []
        for i, t in enumerate(targets):
            boxes, a, which = head_outputs['bbox_regression'][i], anchors[i], matched_idxs[i]
            found = _torch.where(which >= 0)[0]
            loss = det_utils._box_loss(self._loss_type, self.box_coder, a[found, :], t['boxes'][which[found]], boxes[found, :])
            losses.append(loss / max(1, found.numel()))
        return sum(losses[1:], losses[0]) / max(1, len(targets))

    def forward(self, x):
        return _torch.cat([det_utils._by_place(self.bbox_reg(self.conv(f)), 4) for f in x], dim=1)


class _OneStage(_Detector):
    # Anchors, a head on each level, and the best boxes of each level.
    def _setup(self, backbone, anchor_generator, default):
        if not hasattr(backbone, 'out_channels'):
            raise ValueError('backbone should contain an attribute out_channels specifying the number of output channels (assumed to be the same for all '
                             'the levels)')
        _kind(anchor_generator, AnchorGenerator, 'anchor_generator')
        self.backbone = backbone
        self.anchor_generator = default() if anchor_generator is None else anchor_generator

    def _limits(self, score_thresh, nms_thresh, detections_per_img, topk_candidates):
        self.score_thresh = score_thresh
        self.nms_thresh = nms_thresh
        self.detections_per_img = detections_per_img
        self.topk_candidates = topk_candidates
        self._has_warned = False

    def _unmatched(self, anchors):
        return _torch.full((anchors.size(0),), -1, dtype=_torch.int64, device=anchors.device)

    def _kept(self, boxes, scores, labels):
        boxes, scores, labels = [_torch.cat(x, dim=0) for x in (boxes, scores, labels)]
        keep = box_ops.batched_nms(boxes, scores, labels, self.nms_thresh)[:self.detections_per_img]
        return {'boxes': boxes[keep], 'scores': scores[keep], 'labels': labels[keep]}

    def postprocess_detections(self, head_outputs, anchors, image_shapes):
        out = []
        for i, size in enumerate(image_shapes):
            boxes, scores, labels = [], [], []
            for level, anchor in enumerate(anchors[i]):
                at = {k: v[level][i] for k, v in head_outputs.items()}
                classes, score = at['cls_logits'].shape[-1], self._scores(at).flatten()
                good = score > self.score_thresh
                score, place = score[good], _torch.where(good)[0]
                score, best = score.topk(det_utils._topk_min(place, self.topk_candidates, 0))
                place = place[best]
                row = _torch.div(place, classes, rounding_mode='floor')
                boxes.append(box_ops.clip_boxes_to_image(self._decode(at['bbox_regression'][row], anchor[row]), size))
                scores.append(score)
                labels.append(place % classes)
            out.append(self._kept(boxes, scores, labels))
        return out

    def forward(self, images, targets=None):
        images, targets, sizes = _begin(self, images, targets)
        features = list(_features(self, images).values())
        outputs = self.head(features)
        anchors = self.anchor_generator(images, features)
        counts = [x.size(2) * x.size(3) for x in features]
        per_place = outputs['cls_logits'].size(1) // sum(counts)
        counts = [n * per_place for n in counts]
        if self.training:
            return self.eager_outputs(self._losses(targets, outputs, anchors, counts), [])
        outputs = {k: list(v.split(counts, dim=1)) for k, v in outputs.items()}
        found = self.postprocess_detections(outputs, [list(a.split(counts)) for a in anchors], images.image_sizes)
        return self.eager_outputs({}, self.transform.postprocess(found, images.image_sizes, sizes))


class RetinaNet(_OneStage):
    def __init__(self, backbone, num_classes, min_size=800, max_size=1333, image_mean=None, image_std=None, anchor_generator=None, head=None,
                 proposal_matcher=None, score_thresh=0.05, nms_thresh=0.5, detections_per_img=300, fg_iou_thresh=0.5, bg_iou_thresh=0.4,
                 topk_candidates=1000, **kwargs):
        super().__init__()
        self._setup(backbone, anchor_generator, _default_anchorgen)
        self.head = RetinaNetHead(backbone.out_channels, self.anchor_generator.num_anchors_per_location()[0], num_classes) if head is None else head
        self.proposal_matcher = det_utils.Matcher(fg_iou_thresh, bg_iou_thresh, True) if proposal_matcher is None else proposal_matcher
        self.box_coder = det_utils.BoxCoder(weights=(1.0, 1.0, 1.0, 1.0))
        self.transform = _transform(min_size, max_size, image_mean, image_std, **kwargs)
        self._limits(score_thresh, nms_thresh, detections_per_img, topk_candidates)

    def compute_loss(self, targets, head_outputs, anchors):
        matched = [self._unmatched(a) if t['boxes'].numel() == 0 else self.proposal_matcher(box_ops.box_iou(t['boxes'], a)) for a, t in zip(anchors, targets)]
        return self.head.compute_loss(targets, head_outputs, anchors, matched)

    def _losses(self, targets, outputs, anchors, counts):
        return self.compute_loss(targets, outputs, anchors)

    def _scores(self, at):
        return _torch.sigmoid(at['cls_logits'])

    def _decode(self, codes, anchors):
        return self.box_coder.decode_single(codes, anchors)


def _backbone(trained, layers, wide=256, v2=False):
    net = resnet50() if v2 else resnet50(norm_layer=misc_nn_ops.FrozenBatchNorm2d if trained else _nn.BatchNorm2d)
    return _resnet_fpn_extractor(net, layers, returned_layers=[2, 3, 4], extra_blocks=LastLevelP6P7(wide, 256))


def _make(num_classes, trained, layers, **kwargs):
    return RetinaNet(_backbone(trained, layers), num_classes, **kwargs)


def _make_v2(num_classes, trained, layers, **kwargs):
    anchors = _default_anchorgen()
    head = RetinaNetHead(256, anchors.num_anchors_per_location()[0], num_classes, norm_layer=_partial(_nn.GroupNorm, 32))
    head.regression_head._loss_type = 'giou'
    return RetinaNet(_backbone(trained, layers, 2048, True), num_classes, anchor_generator=anchors, head=head, **kwargs)


RetinaNet_ResNet50_FPN_Weights, RetinaNet_ResNet50_FPN_V2_Weights = _coco('RetinaNet_ResNet50_FPN_Weights'), _coco('RetinaNet_ResNet50_FPN_V2_Weights')
retinanet_resnet50_fpn = _detector('retinanet_resnet50_fpn', RetinaNet_ResNet50_FPN_Weights, ResNet50_Weights, _make, (5, 3), eps=0.0)
retinanet_resnet50_fpn_v2 = _detector('retinanet_resnet50_fpn_v2', RetinaNet_ResNet50_FPN_V2_Weights, ResNet50_Weights, _make_v2, (5, 3), pretrained=False)
