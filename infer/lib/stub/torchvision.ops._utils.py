# Boxes as the operators of regions take them.
import torch as _torch


def _rois(boxes):
    # Boxes of each picture as rows (picture, x1, y1, x2, y2).
    if isinstance(boxes, _torch.Tensor):
        _torch._assert(boxes.size(1) == 5, 'The boxes tensor shape is not correct as Tensor[K, 5]')
        return boxes
    for b in boxes:
        _torch._assert(b.size(1) == 4, 'The shape of the tensor in the boxes list is not correct as List[Tensor[L, 4]]')
    ids = _torch.cat([_torch.full_like(b[:, :1], i) for i, b in enumerate(boxes)], dim=0)
    return _torch.cat([ids, _torch.cat(list(boxes), dim=0)], dim=1)
