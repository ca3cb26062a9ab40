# A detector of two stages; and what detectors of both kinds begin with.
from collections import OrderedDict as _OrderedDict
import torch as _torch
from torch import nn as _nn


def _begin(model, images, targets):
    # Checks the targets, gives the sizes of the pictures, and both as the backbone takes them.
    if model.training:
        _torch._assert(targets is not None, 'targets should not be none when in training mode')
        for t in targets:
            boxes = t['boxes']
            _torch._assert(isinstance(boxes, _torch.Tensor), f'Expected target boxes to be of type Tensor, got {type(boxes)}.')
            _torch._assert(len(boxes.shape) == 2 and boxes.shape[-1] == 4, f'Expected target boxes to be a tensor of shape [N, 4], got {boxes.shape}.')
    sizes = []
    for x in images:
        size = x.shape[-2:]
        _torch._assert(len(size) == 2, f'expecting the last two dimensions of the Tensor to be H and W instead got {size}')
        sizes.append((size[0], size[1]))
    images, targets = model.transform(images, targets)
    for i, t in enumerate(targets if targets is not None else ()):
        boxes = t['boxes']
        wrong = boxes[:, 2:] <= boxes[:, :2]
        if wrong.any():
            box = boxes[_torch.where(wrong.any(dim=1))[0][0]].tolist()
            _torch._assert(False, f'All bounding boxes should have positive height and width. Found invalid box {box} for target at index {i}.')
    return images, targets, sizes


def _features(model, images):
    out = model.backbone(images.tensors)
    return _OrderedDict([('0', out)]) if isinstance(out, _torch.Tensor) else out


class _Detector(_nn.Module):
    def eager_outputs(self, losses, detections):
        return losses if self.training else detections


class GeneralizedRCNN(_Detector):
    def __init__(self, backbone, rpn, roi_heads, transform):
        super().__init__()
        self.transform = transform
        self.backbone = backbone
        self.rpn = rpn
        self.roi_heads = roi_heads
        self._has_warned = False

    def forward(self, images, targets=None):
        images, targets, sizes = _begin(self, images, targets)
        features = _features(self, images)
        proposals, losses = self.rpn(images, features, targets)
        found, more = self.roi_heads(features, proposals, images.image_sizes, targets)
        return self.eager_outputs({**more, **losses}, self.transform.postprocess(found, images.image_sizes, sizes))
