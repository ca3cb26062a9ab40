# Regions of several feature maps.
import torch as _torch
from torch import nn as _nn
from torchvision.ops._utils import _rois
from torchvision.ops.boxes import box_area


class MultiScaleRoIAlign(_nn.Module):
    def __init__(self, featmap_names, output_size, sampling_ratio, *, canonical_scale=224, canonical_level=4):
        super().__init__()
        self.featmap_names = featmap_names
        self.sampling_ratio = sampling_ratio
        self.output_size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
        self.scales = None
        self.map_levels = None
        self.canonical_scale = canonical_scale
        self.canonical_level = canonical_level

    def _levels(self, boxes, first, last):
        # The map of each box: that of canonical_level for boxes of the canonical size, one more for twice the size.
        size = _torch.sqrt(_torch.cat([box_area(b) for b in boxes]))
        level = _torch.floor(self.canonical_level + _torch.log2(size / self.canonical_scale) + _torch.tensor(1e-6, dtype=size.dtype))
        return level.clamp(min=first, max=last).to(_torch.int64) - first

    def _of(self, x, rois, scale):
        return _torch.ops.torchvision.roi_align(x, rois, scale, *self.output_size, self.sampling_ratio, False)

    def forward(self, x, boxes, image_shapes):
        maps = [v for k, v in x.items() if k in self.featmap_names]
        if not image_shapes:
            raise ValueError('images list should not be empty')
        height = max(s[0] for s in image_shapes)
        if self.scales is None:
            self.scales = [2.0 ** float(_torch.tensor(float(m.shape[-2]) / float(height)).log2().round()) for m in maps]
        rois = _rois(list(boxes))
        if len(maps) == 1:
            return self._of(maps[0], rois, self.scales[0])
        first, last = [int(-_torch.log2(_torch.tensor(s)).item()) for s in (self.scales[0], self.scales[-1])]
        levels = self._levels(boxes, first, last)
        out = _torch.zeros((len(rois), maps[0].shape[1]) + self.output_size, dtype=maps[0].dtype, device=maps[0].device)
        for i, (m, scale) in enumerate(zip(maps, self.scales)):
            there = _torch.where(levels == i)[0]
            out[there] = self._of(m, rois[there], scale).to(out.dtype)
        return out
