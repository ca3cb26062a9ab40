# The network that proposes boxes.
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.image_list import ImageList
from torchvision.ops import Conv2dNormActivation, boxes as box_ops


class RPNHead(_nn.Module):
    _version = 2

    def __init__(self, in_channels, num_anchors, conv_depth=1):
        super().__init__()
        self.conv = _nn.Sequential(*[Conv2dNormActivation(in_channels, in_channels, kernel_size=3, norm_layer=None) for _ in range(conv_depth)])
        self.cls_logits = _nn.Conv2d(in_channels, num_anchors, 1)
        self.bbox_pred = _nn.Conv2d(in_channels, num_anchors * 4, 1)
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.normal_(m.weight, std=0.01)
                _nn.init.constant_(m.bias, 0)

    def forward(self, x):
        logits, boxes = [], []
        for f in x:
            inner = self.conv(f)
            logits.append(self.cls_logits(inner))
            boxes.append(self.bbox_pred(inner))
        return logits, boxes


def permute_and_flatten(layer, N, A, C, H, W):
    return det_utils._by_place(layer, C)


def concat_box_prediction_layers(box_cls, box_regression):
    # All levels and pictures as rows.
    classes, boxes = [], []
    for c, b in zip(box_cls, box_regression):
        classes.append(det_utils._by_place(c, c.shape[1] // (b.shape[1] // 4)))
        boxes.append(det_utils._by_place(b, 4))
    return _torch.cat(classes, dim=1).flatten(0, -2), _torch.cat(boxes, dim=1).reshape(-1, 4)


class RegionProposalNetwork(_nn.Module):
    def __init__(self, anchor_generator, head, fg_iou_thresh, bg_iou_thresh, batch_size_per_image, positive_fraction, pre_nms_top_n, post_nms_top_n,
                 nms_thresh, score_thresh=0.0):
        super().__init__()
        self.anchor_generator = anchor_generator
        self.head = head
        self.box_coder = det_utils.BoxCoder(weights=(1.0, 1.0, 1.0, 1.0))
        self.box_similarity = box_ops.box_iou
        self.proposal_matcher = det_utils.Matcher(fg_iou_thresh, bg_iou_thresh, allow_low_quality_matches=True)
        self.fg_bg_sampler = det_utils.BalancedPositiveNegativeSampler(batch_size_per_image, positive_fraction)
        self._pre_nms_top_n = pre_nms_top_n
        self._post_nms_top_n = post_nms_top_n
        self.nms_thresh = nms_thresh
        self.score_thresh = score_thresh
        self.min_size = 1e-3

    def pre_nms_top_n(self):
        return self._pre_nms_top_n['training' if self.training else 'testing']

    def post_nms_top_n(self):
        return self._post_nms_top_n['training' if self.training else 'testing']

    def assign_targets_to_anchors(self, anchors, targets):
        # Of each anchor whether it is a box, 1, none, 0, or neither, -1; and the nearest box.
        labels, boxes = [], []
        for a, t in zip(anchors, targets):
            true = t['boxes']
            if true.numel() == 0:
                boxes.append(_torch.zeros(a.shape, dtype=_torch.float32, device=a.device))
                labels.append(_torch.zeros((a.shape[0],), dtype=_torch.float32, device=a.device))
                continue
            which = self.proposal_matcher(self.box_similarity(true, a))
            boxes.append(true[which.clamp(min=0)])
            label = (which >= 0).to(dtype=_torch.float32)
            label[which == self.proposal_matcher.BETWEEN_THRESHOLDS] = -1.0
            labels.append(label)
        return labels, boxes

    def _get_top_n_idx(self, objectness, num_anchors_per_level):
        best, before = [], 0
        for level in objectness.split(num_anchors_per_level, 1):
            n = level.shape[1]
            best.append(level.topk(det_utils._topk_min(level, self.pre_nms_top_n(), 1), dim=1)[1] + before)
            before += n
        return _torch.cat(best, dim=1)

    def filter_proposals(self, proposals, objectness, image_shapes, num_anchors_per_level):
        n, device = proposals.shape[0], proposals.device
        objectness = objectness.detach().reshape(n, -1)
        levels = _torch.cat([_torch.full((count,), i, dtype=_torch.int64, device=device) for i, count in enumerate(num_anchors_per_level)], 0)
        levels = levels.reshape(1, -1).expand_as(objectness)
        best = _torch.arange(n, device=device)[:, None], self._get_top_n_idx(objectness, num_anchors_per_level)
        boxes_of, scores_of = [], []
        proposals, objectness, levels = proposals[best], _torch.sigmoid(objectness[best]), levels[best]
        for i, size in enumerate(image_shapes):
            boxes, scores, level = box_ops.clip_boxes_to_image(proposals[i], size), objectness[i], levels[i]
            keep = box_ops.remove_small_boxes(boxes, self.min_size)
            boxes, scores, level = boxes[keep], scores[keep], level[keep]
            keep = _torch.where(scores >= self.score_thresh)[0]
            boxes, scores, level = boxes[keep], scores[keep], level[keep]
            keep = box_ops.batched_nms(boxes, scores, level, self.nms_thresh)[:self.post_nms_top_n()]
            boxes_of.append(boxes[keep])
            scores_of.append(scores[keep])
        return boxes_of, scores_of

    def compute_loss(self, objectness, pred_bbox_deltas, labels, regression_targets):
        positive, negative = [_torch.where(_torch.cat(masks, dim=0))[0] for masks in self.fg_bg_sampler(labels)]
        sampled = _torch.cat([positive, negative], dim=0)
        targets = _torch.cat(regression_targets, dim=0)
        boxes = _F.smooth_l1_loss(pred_bbox_deltas[positive], targets[positive], beta=1 / 9, reduction='sum') / sampled.numel()
        return _F.binary_cross_entropy_with_logits(objectness.flatten()[sampled], _torch.cat(labels, dim=0)[sampled]), boxes

    def forward(self, images, features, targets=None):
        features = list(features.values())
        objectness, deltas = self.head(features)
        anchors = self.anchor_generator(images, features)
        counts = [x.shape[1] * x.shape[2] * x.shape[3] for x in objectness]
        objectness, deltas = concat_box_prediction_layers(objectness, deltas)
        proposals = self.box_coder.decode(deltas.detach(), anchors).view(len(anchors), -1, 4)
        boxes, _ = self.filter_proposals(proposals, objectness, images.image_sizes, counts)
        if not self.training:
            return boxes, {}
        if targets is None:
            raise ValueError('targets should not be None')
        labels, true = self.assign_targets_to_anchors(anchors, targets)
        found, moved = self.compute_loss(objectness, deltas, labels, self.box_coder.encode(true, anchors))
        return boxes, {'loss_objectness': found, 'loss_rpn_box_reg': moved}
