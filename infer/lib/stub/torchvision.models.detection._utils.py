# What detectors share: boxes as differences from other boxes, and which belong together.
import math as _math
import torch as _torch
import torch.nn.functional as _F
from torchvision.ops import FrozenBatchNorm2d, complete_box_iou_loss, distance_box_iou_loss, generalized_box_iou_loss


class BalancedPositiveNegativeSampler:
    # Draws so many places of each picture, of which at most a part is positive.
    def __init__(self, batch_size_per_image, positive_fraction):
        self.batch_size_per_image = batch_size_per_image
        self.positive_fraction = positive_fraction

    def __call__(self, matched_idxs):
        masks = [], []
        for labels in matched_idxs:
            room, most = self.batch_size_per_image, int(self.batch_size_per_image * self.positive_fraction)
            for out, found in zip(masks, (labels >= 1, labels == 0)):
                places = _torch.where(found)[0]
                n = min(places.numel(), most)
                most = room - n
                mask = _torch.zeros_like(labels, dtype=_torch.uint8)
                mask[places[_torch.randperm(places.numel(), device=places.device)[:n]]] = 1
                out.append(mask)
        return masks


def _centres(boxes):
    # Centres and sides of boxes: [N, 2] and [N, 2].
    sides = boxes[:, 2:] - boxes[:, :2]
    return boxes[:, :2] + 0.5 * sides, sides


class BoxCoder:
    def __init__(self, weights, bbox_xform_clip=_math.log(1000.0 / 16)):
        self.weights = weights
        self.bbox_xform_clip = bbox_xform_clip

    def encode(self, reference_boxes, proposals):
        counts = [len(b) for b in reference_boxes]
        return self.encode_single(_torch.cat(reference_boxes, dim=0), _torch.cat(proposals, dim=0)).split(counts, 0)

    def encode_single(self, reference_boxes, proposals):
        w = _torch.as_tensor(self.weights, dtype=reference_boxes.dtype, device=reference_boxes.device)
        (to, large), (at, small) = _centres(reference_boxes), _centres(proposals)
        return _torch.cat((w[:2] * (to - at) / small, w[2:] * _torch.log(large / small)), dim=1)

    def decode(self, rel_codes, boxes):
        _torch._assert(isinstance(boxes, (list, tuple)), 'This function expects boxes of type list or tuple.')
        _torch._assert(isinstance(rel_codes, _torch.Tensor), 'This function expects rel_codes of type torch.Tensor.')
        n = sum(b.size(0) for b in boxes)
        boxes = _torch.cat(list(boxes), dim=0)
        if n > 0:
            return self.decode_single(rel_codes.reshape(n, -1), boxes).reshape(n, -1, 4)
        return self.decode_single(rel_codes, boxes)

    def decode_single(self, rel_codes, boxes):
        # Four columns for each class.
        centres, sides = _centres(boxes.to(rel_codes.dtype))
        low, high = [], []
        for i in range(2):
            side = sides[:, i, None]
            at = rel_codes[:, i::4] / self.weights[i] * side + centres[:, i, None]
            half = 0.5 * _torch.exp((rel_codes[:, i + 2::4] / self.weights[i + 2]).clamp(max=self.bbox_xform_clip)) * side
            low.append(at - half)
            high.append(at + half)
        return _torch.stack(low + high, dim=2).flatten(1)


class BoxLinearCoder:
    # Distances of the four sides from the centre of another box.
    def __init__(self, normalize_by_size=True):
        self.normalize_by_size = normalize_by_size

    def _of(self, boxes):
        low, high = boxes[..., :2], boxes[..., 2:]
        return 0.5 * (low + high), _torch.cat((high - low, high - low), dim=-1)

    def encode(self, reference_boxes, proposals):
        at, sides = self._of(reference_boxes)
        out = _torch.cat((at - proposals[..., :2], proposals[..., 2:] - at), dim=-1)
        return out / sides if self.normalize_by_size else out

    def decode(self, rel_codes, boxes):
        at, sides = self._of(boxes.to(dtype=rel_codes.dtype))
        if self.normalize_by_size:
            rel_codes = rel_codes * sides
        return _torch.cat((at - rel_codes[..., :2], at + rel_codes[..., 2:]), dim=-1)


class Matcher:
    # Of each column of a matrix [boxes, candidates] the row that is largest, if that is large enough.
    BELOW_LOW_THRESHOLD = -1
    BETWEEN_THRESHOLDS = -2

    def __init__(self, high_threshold, low_threshold, allow_low_quality_matches=False):
        _torch._assert(low_threshold <= high_threshold, 'low_threshold should be <= high_threshold')
        self.high_threshold = high_threshold
        self.low_threshold = low_threshold
        self.allow_low_quality_matches = allow_low_quality_matches

    def __call__(self, match_quality_matrix):
        if match_quality_matrix.numel() == 0:
            what = 'ground-truth' if match_quality_matrix.shape[0] == 0 else 'proposal'
            raise ValueError(f'No {what} boxes available for one of the images during training')
        best, matches = match_quality_matrix.max(dim=0)
        largest = matches.clone()
        matches[best < self.low_threshold] = self.BELOW_LOW_THRESHOLD
        matches[(best >= self.low_threshold) & (best < self.high_threshold)] = self.BETWEEN_THRESHOLDS
        if self.allow_low_quality_matches:
            self.set_low_quality_matches_(matches, largest, match_quality_matrix)
        return matches

    def set_low_quality_matches_(self, matches, all_matches, match_quality_matrix):
        # Candidates that no other is better than for some box are matched, too.
        best = match_quality_matrix.max(dim=1)[0]
        columns = _torch.where(match_quality_matrix == best[:, None])[1]
        matches[columns] = all_matches[columns]


class SSDMatcher(Matcher):
    def __init__(self, threshold):
        super().__init__(threshold, threshold, allow_low_quality_matches=False)

    def __call__(self, match_quality_matrix):
        matches = super().__call__(match_quality_matrix)
        best = match_quality_matrix.max(dim=1)[1]
        matches[best] = _torch.arange(best.size(0), dtype=_torch.int64, device=best.device)
        return matches


def overwrite_eps(model, eps):
    for module in model.modules():
        if isinstance(module, FrozenBatchNorm2d):
            module.eps = eps


def retrieve_out_channels(model, size):
    # The widths of what a backbone gives, found by running it.
    training = model.training
    model.eval()
    with _torch.no_grad():
        out = model(_torch.zeros((1, 3, size[1], size[0]), device=next(model.parameters()).device))
    if training:
        model.train()
    return [x.size(1) for x in ([out] if isinstance(out, _torch.Tensor) else out.values())]


def _topk_min(input, orig_kval, axis):
    return min(orig_kval, input.size(axis))


def _box_loss(type, box_coder, anchors_per_image, matched_gt_boxes_per_image, bbox_regression_per_image, cnf=None):
    _torch._assert(type in ['l1', 'smooth_l1', 'ciou', 'diou', 'giou'], f'Unsupported loss: {type}')
    cnf = cnf or {}
    if type in ('l1', 'smooth_l1'):
        to = box_coder.encode_single(matched_gt_boxes_per_image, anchors_per_image)
        if type == 'l1':
            return _F.l1_loss(bbox_regression_per_image, to, reduction='sum')
        return _F.smooth_l1_loss(bbox_regression_per_image, to, reduction='sum', beta=cnf.get('beta', 1.0))
    loss = {'ciou': complete_box_iou_loss, 'diou': distance_box_iou_loss, 'giou': generalized_box_iou_loss}[type]
    boxes = box_coder.decode_single(bbox_regression_per_image, anchors_per_image)
    return loss(boxes, matched_gt_boxes_per_image, reduction='sum', eps=cnf.get('eps', 1e-7))


def _by_place(x, columns):
    # What a head gives of each place and anchor as rows: [N, A·C, H, W] to [N, H·W·A, C].
    n, _, h, w = x.shape
    return x.view(n, -1, columns, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, columns)
