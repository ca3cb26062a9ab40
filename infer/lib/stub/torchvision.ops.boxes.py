# Boxes as rows of four numbers: (x1, y1, x2, y2) unless a format says else.
import math as _math
import torch as _torch
from _shapecheck import unknown as _unknown


def _upcast(t):
    if t.is_floating_point():
        return t if t.dtype in (_torch.float32, _torch.float64) else t.float()
    return t if t.dtype in (_torch.int32, _torch.int64) else t.int()


def nms(boxes, scores, iou_threshold):
    return _torch.ops.torchvision.nms(boxes, scores, iou_threshold)


def batched_nms(boxes, scores, idxs, iou_threshold):
    # Boxes of different groups are moved apart, so that they never overlap.
    if boxes.numel() == 0:
        return _torch.empty((0,), dtype=_torch.int64, device=boxes.device)
    offsets = idxs.to(boxes) * (boxes.max() + 1)
    return nms(boxes + offsets[:, None], scores, iou_threshold)


def remove_small_boxes(boxes, min_size):
    return _torch.where((boxes[:, 2] - boxes[:, 0] >= min_size) & (boxes[:, 3] - boxes[:, 1] >= min_size))[0]


def clip_boxes_to_image(boxes, size):
    height, width = size
    clipped = _torch.stack((boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)), dim=boxes.dim())
    return clipped.reshape(boxes.shape)


def _box_cxcywh_to_xyxy(boxes):
    cx, cy, w, h = boxes.unbind(-1)
    return _torch.stack((cx - 0.5 * w, cy - 0.5 * h, cx + 0.5 * w, cy + 0.5 * h), dim=-1)


def _box_xyxy_to_cxcywh(boxes):
    x1, y1, x2, y2 = boxes.unbind(-1)
    return _torch.stack(((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1), dim=-1)


def _box_xywh_to_xyxy(boxes):
    x, y, w, h = boxes.unbind(-1)
    return _torch.stack((x, y, x + w, y + h), dim=-1)


def _box_xyxy_to_xywh(boxes):
    x1, y1, x2, y2 = boxes.unbind(-1)
    return _torch.stack((x1, y1, x2 - x1, y2 - y1), dim=-1)


_FROM = {'xyxy': lambda boxes: boxes, 'xywh': _box_xywh_to_xyxy, 'cxcywh': _box_cxcywh_to_xyxy}
_TO = {'xyxy': lambda boxes: boxes, 'xywh': _box_xyxy_to_xywh, 'cxcywh': _box_xyxy_to_cxcywh}
_ROTATED = ('xyxyxyxy', 'xywhr', 'cxcywhr')


def box_convert(boxes, in_fmt, out_fmt):
    if in_fmt in _ROTATED or out_fmt in _ROTATED:
        return _unknown('boxes that are rotated')
    if in_fmt not in _FROM or out_fmt not in _TO:
        raise ValueError('Unsupported Bounding Box Conversions for given in_fmt and out_fmt')
    return boxes.clone() if in_fmt == out_fmt else _TO[out_fmt](_FROM[in_fmt](boxes))


def box_area(boxes, fmt='xyxy'):
    boxes = _upcast(boxes)
    if fmt == 'xyxy':
        return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return boxes[..., 2] * boxes[..., 3]


def _box_inter_union(boxes1, boxes2):
    low = _torch.max(boxes1[..., None, :2], boxes2[..., None, :, :2])
    high = _torch.min(boxes1[..., None, 2:], boxes2[..., None, :, 2:])
    size = _upcast(high - low).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter, box_area(boxes1)[..., None] + box_area(boxes2)[..., None, :] - inter


def box_iou(boxes1, boxes2, fmt='xyxy'):
    if fmt != 'xyxy':
        boxes1, boxes2 = box_convert(boxes1, fmt, 'xyxy'), box_convert(boxes2, fmt, 'xyxy')
    inter, union = _box_inter_union(boxes1, boxes2)
    return inter / union


def _around(boxes1, boxes2):
    # Width and height of the least box around each pair.
    low = _torch.min(boxes1[:, None, :2], boxes2[:, :2])
    high = _torch.max(boxes1[:, None, 2:], boxes2[:, 2:])
    return _upcast(high - low).clamp(min=0).unbind(-1)


def generalized_box_iou(boxes1, boxes2):
    inter, union = _box_inter_union(boxes1, boxes2)
    width, height = _around(boxes1, boxes2)
    return inter / union - (width * height - union) / (width * height)


def distance_box_iou(boxes1, boxes2, eps=1e-7):
    boxes1, boxes2 = _upcast(boxes1), _upcast(boxes2)
    width, height = _around(boxes1, boxes2)
    apart = (boxes1[:, :2] + boxes1[:, 2:])[:, None] / 2 - (boxes2[:, :2] + boxes2[:, 2:]) / 2
    return box_iou(boxes1, boxes2) - (apart ** 2).sum(-1) / (width ** 2 + height ** 2 + eps)


def complete_box_iou(boxes1, boxes2, eps=1e-7):
    boxes1, boxes2 = _upcast(boxes1), _upcast(boxes2)
    angle1 = _torch.atan((boxes1[:, 2] - boxes1[:, 0]) / (boxes1[:, 3] - boxes1[:, 1]))
    angle2 = _torch.atan((boxes2[:, 2] - boxes2[:, 0]) / (boxes2[:, 3] - boxes2[:, 1]))
    v = 4 / _math.pi ** 2 * _torch.pow(angle1[:, None] - angle2, 2)
    with _torch.no_grad():
        alpha = v / (1 - box_iou(boxes1, boxes2) + v + eps)
    return distance_box_iou(boxes1, boxes2, eps) - alpha * v


def masks_to_boxes(masks):
    n = masks.shape[0]
    return _torch._stand_in(_torch.zeros((n, 4), device=masks.device, dtype=_torch.float), what='torchvision.ops.masks_to_boxes')
