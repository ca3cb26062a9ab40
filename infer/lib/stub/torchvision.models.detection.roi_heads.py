# What is found in the proposed boxes: classes, moved boxes, masks and key points.
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models.detection import _utils as det_utils
from torchvision.ops import boxes as box_ops, roi_align


def fastrcnn_loss(class_logits, box_regression, labels, regression_targets):
    labels, targets = _torch.cat(labels, dim=0), _torch.cat(regression_targets, dim=0)
    classes = _F.cross_entropy(class_logits, labels)
    found = _torch.where(labels > 0)[0]
    n, _ = class_logits.shape
    moved = box_regression.reshape(n, box_regression.size(-1) // 4, 4)[found, labels[found]]
    return classes, _F.smooth_l1_loss(moved, targets[found], beta=1 / 9, reduction='sum') / labels.numel()


def maskrcnn_inference(x, labels):
    counts = [n.shape[0] for n in labels]
    labels = _torch.cat(labels)
    chosen = x.sigmoid()[_torch.arange(x.shape[0], device=labels.device), labels]
    return chosen[:, None].split(counts, dim=0)


def project_masks_on_boxes(gt_masks, boxes, matched_idxs, M):
    rois = _torch.cat([matched_idxs.to(boxes)[:, None], boxes], dim=1)
    return roi_align(gt_masks[:, None].to(rois), rois, (M, M), 1.0)[:, 0]


def maskrcnn_loss(mask_logits, proposals, gt_masks, gt_labels, mask_matched_idxs):
    labels = _torch.cat([t[i] for t, i in zip(gt_labels, mask_matched_idxs)], dim=0)
    targets = _torch.cat([project_masks_on_boxes(m, p, i, mask_logits.shape[-1]) for m, p, i in zip(gt_masks, proposals, mask_matched_idxs)], dim=0)
    if targets.numel() == 0:
        return mask_logits.sum() * 0
    return _F.binary_cross_entropy_with_logits(mask_logits[_torch.arange(labels.shape[0], device=labels.device), labels], targets)


def keypoints_to_heatmap(keypoints, rois, heatmap_size):
    # The cell of each key point in the map of its region, and whether it is there.
    low, high = rois[:, None, :2], rois[:, None, 2:]
    at = keypoints[..., :2]
    cell = ((at - low) * (heatmap_size / (high - low))).floor().long()
    cell[at == high] = heatmap_size - 1
    there = ((cell >= 0) & (cell < heatmap_size)).all(-1) & (keypoints[..., 2] > 0)
    valid = there.long()
    return (cell[..., 1] * heatmap_size + cell[..., 0]) * valid, valid


def heatmaps_to_keypoints(maps, rois):
    # Where a map is largest after it got the size of its region, which data decides: only the shapes are known.
    n, points = len(rois), maps.shape[1]
    what = 'torchvision.models.detection.roi_heads.heatmaps_to_keypoints'
    return _torch._stand_in(maps.new_empty((n, points, 3), dtype=_torch.float32), what=what), \
        _torch._stand_in(maps.new_empty((n, points), dtype=_torch.float32), what=what)


def keypointrcnn_loss(keypoint_logits, proposals, gt_keypoints, keypoint_matched_idxs):
    n, points, h, w = keypoint_logits.shape
    if h != w:
        raise ValueError(f'keypoint_logits height and width (last two elements of shape) should be equal. Instead got H = {h} and W = {w}')
    cells = [keypoints_to_heatmap(k[i], p, h) for p, k, i in zip(proposals, gt_keypoints, keypoint_matched_idxs)]
    targets = _torch.cat([cell.view(-1) for cell, _ in cells], dim=0)
    valid = _torch.where(_torch.cat([v.view(-1) for _, v in cells], dim=0).to(dtype=_torch.uint8))[0]
    if targets.numel() == 0 or len(valid) == 0:
        return keypoint_logits.sum() * 0
    return _F.cross_entropy(keypoint_logits.view(n * points, h * w)[valid], targets[valid])


def keypointrcnn_inference(x, boxes):
    maps = x.split([b.size(0) for b in boxes], dim=0)
    both = [heatmaps_to_keypoints(maps[i], b) for i, b in enumerate(boxes)]
    return [points for points, _ in both], [scores for _, scores in both]


def paste_masks_in_image(masks, boxes, img_shape, padding=1):
    # Each mask in the place of its box, whose size data decides: only the shape is known.
    h, w = img_shape
    return _torch._stand_in(masks.new_empty((masks.shape[0], 1, h, w)), what='torchvision.models.detection.roi_heads.paste_masks_in_image')


class RoIHeads(_nn.Module):
    def __init__(self, box_roi_pool, box_head, box_predictor, fg_iou_thresh, bg_iou_thresh, batch_size_per_image, positive_fraction, bbox_reg_weights,
                 score_thresh, nms_thresh, detections_per_img, mask_roi_pool=None, mask_head=None, mask_predictor=None, keypoint_roi_pool=None,
                 keypoint_head=None, keypoint_predictor=None):
        super().__init__()
        self.box_similarity = box_ops.box_iou
        self.proposal_matcher = det_utils.Matcher(fg_iou_thresh, bg_iou_thresh, allow_low_quality_matches=False)
        self.fg_bg_sampler = det_utils.BalancedPositiveNegativeSampler(batch_size_per_image, positive_fraction)
        self.box_coder = det_utils.BoxCoder((10.0, 10.0, 5.0, 5.0) if bbox_reg_weights is None else bbox_reg_weights)
        self.box_roi_pool = box_roi_pool
        self.box_head = box_head
        self.box_predictor = box_predictor
        self.score_thresh = score_thresh
        self.nms_thresh = nms_thresh
        self.detections_per_img = detections_per_img
        self.mask_roi_pool = mask_roi_pool
        self.mask_head = mask_head
        self.mask_predictor = mask_predictor
        self.keypoint_roi_pool = keypoint_roi_pool
        self.keypoint_head = keypoint_head
        self.keypoint_predictor = keypoint_predictor

    def has_mask(self):
        return not (self.mask_roi_pool is None or self.mask_head is None or self.mask_predictor is None)

    def has_keypoint(self):
        return not (self.keypoint_roi_pool is None or self.keypoint_head is None or self.keypoint_predictor is None)

    def assign_targets_to_proposals(self, proposals, gt_boxes, gt_labels):
        # Of each proposal the box it fits, and its class: 0 for none, -1 where that is not sure.
        matched, labels = [], []
        for p, boxes, classes in zip(proposals, gt_boxes, gt_labels):
            if boxes.numel() == 0:
                which = label = _torch.zeros((p.shape[0],), dtype=_torch.int64, device=p.device)
            else:
                found = self.proposal_matcher(box_ops.box_iou(boxes, p))
                which = found.clamp(min=0)
                label = classes[which].to(dtype=_torch.int64)
                label[found == self.proposal_matcher.BELOW_LOW_THRESHOLD] = 0
                label[found == self.proposal_matcher.BETWEEN_THRESHOLDS] = -1
            matched.append(which)
            labels.append(label)
        return matched, labels

    def subsample(self, labels):
        return [_torch.where(p | n)[0] for p, n in zip(*self.fg_bg_sampler(labels))]

    def add_gt_proposals(self, proposals, gt_boxes):
        return [_torch.cat((p, b)) for p, b in zip(proposals, gt_boxes)]

    def check_targets(self, targets):
        if targets is None:
            raise ValueError('targets should not be None')
        for key in ['boxes', 'labels'] + (['masks'] if self.has_mask() else []):
            if not all([key in t for t in targets]):
                raise ValueError(f'Every element of targets should have a {key} key')

    def select_training_samples(self, proposals, targets):
        self.check_targets(targets)
        first = proposals[0]
        boxes = [t['boxes'].to(first.dtype) for t in targets]
        proposals = self.add_gt_proposals(proposals, boxes)
        matched, labels = self.assign_targets_to_proposals(proposals, boxes, [t['labels'] for t in targets])
        fitting = []
        for i, chosen in enumerate(self.subsample(labels)):
            proposals[i], labels[i], matched[i] = proposals[i][chosen], labels[i][chosen], matched[i][chosen]
            true = boxes[i]
            if true.numel() == 0:
                true = _torch.zeros((1, 4), dtype=first.dtype, device=first.device)
            fitting.append(true[matched[i]])
        return proposals, matched, labels, self.box_coder.encode(fitting, proposals)

    def postprocess_detections(self, class_logits, box_regression, proposals, image_shapes):
        counts, classes = [p.shape[0] for p in proposals], class_logits.shape[-1]
        all_boxes = self.box_coder.decode(box_regression, proposals).split(counts, 0)
        all_scores = _F.softmax(class_logits, -1).split(counts, 0)
        out = [], [], []
        for i, size in enumerate(image_shapes):
            boxes, scores = box_ops.clip_boxes_to_image(all_boxes[i], size), all_scores[i]
            labels = _torch.arange(classes, device=class_logits.device).view(1, -1).expand_as(scores)
            # Of each class but the first, which is none, a box of its own.
            boxes, scores, labels = boxes[:, 1:].reshape(-1, 4), scores[:, 1:].reshape(-1), labels[:, 1:].reshape(-1)
            keep = _torch.where(scores > self.score_thresh)[0]
            boxes, scores, labels = boxes[keep], scores[keep], labels[keep]
            keep = box_ops.remove_small_boxes(boxes, min_size=1e-2)
            boxes, scores, labels = boxes[keep], scores[keep], labels[keep]
            keep = box_ops.batched_nms(boxes, scores, labels, self.nms_thresh)[:self.detections_per_img]
            for whole, part in zip(out, (boxes, scores, labels)):
                whole.append(part[keep])
        return out

    def _positive(self, proposals, matched, labels):
        there = [_torch.where(label > 0)[0] for label in labels]
        return [p[i] for p, i in zip(proposals, there)], [m[i] for m, i in zip(matched, there)]

    def forward(self, features, proposals, image_shapes, targets=None):
        for t in targets if targets is not None else ():
            if t['boxes'].dtype not in (_torch.float, _torch.double, _torch.half):
                raise TypeError(f"target boxes must of float type, instead got {t['boxes'].dtype}")
            if t['labels'].dtype != _torch.int64:
                raise TypeError(f"target labels must of int64 type, instead got {t['labels'].dtype}")
            if self.has_keypoint() and t['keypoints'].dtype != _torch.float32:
                raise TypeError(f"target keypoints must of float type, instead got {t['keypoints'].dtype}")
        if self.training:
            proposals, matched, labels, moves = self.select_training_samples(proposals, targets)
        logits, boxes = self.box_predictor(self.box_head(self.box_roi_pool(features, proposals, image_shapes)))
        result, losses = [], {}
        if self.training:
            losses['loss_classifier'], losses['loss_box_reg'] = fastrcnn_loss(logits, boxes, labels, moves)
        else:
            result = [{'boxes': b, 'labels': label, 'scores': s} for b, s, label in
                      zip(*self.postprocess_detections(logits, boxes, proposals, image_shapes))]
        if self.has_mask():
            inside = [r['boxes'] for r in result]
            if self.training:
                inside, which = self._positive(proposals, matched, labels)
            maps = self.mask_predictor(self.mask_head(self.mask_roi_pool(features, inside, image_shapes)))
            if self.training:
                losses['loss_mask'] = maskrcnn_loss(maps, inside, [t['masks'] for t in targets], [t['labels'] for t in targets], which)
            else:
                masks = maskrcnn_inference(maps, [r['labels'] for r in result])
                for i, r in enumerate(result):
                    r['masks'] = masks[i]
        if self.has_keypoint():
            inside = [r['boxes'] for r in result]
            if self.training:
                inside, which = self._positive(proposals, matched, labels)
            maps = self.keypoint_predictor(self.keypoint_head(self.keypoint_roi_pool(features, inside, image_shapes)))
            if self.training:
                losses['loss_keypoint'] = keypointrcnn_loss(maps, inside, [t['keypoints'] for t in targets], which)
            else:
                points, scores = keypointrcnn_inference(maps, inside)
                for i, r in enumerate(result):
                    r['keypoints'], r['keypoints_scores'] = points[i], scores[i]
        return result, losses
