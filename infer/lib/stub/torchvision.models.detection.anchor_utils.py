# The boxes that detectors start from, around each place of their feature maps.
import math as _math
import torch as _torch
from torch import nn as _nn
from torchvision.models.detection.image_list import ImageList


class AnchorGenerator(_nn.Module):
    def __init__(self, sizes=((128, 256, 512),), aspect_ratios=((0.5, 1.0, 2.0),)):
        super().__init__()
        if not isinstance(sizes[0], (list, tuple)):
            sizes = tuple([(s,) for s in sizes])
        if not isinstance(aspect_ratios[0], (list, tuple)):
            aspect_ratios = (aspect_ratios,) * len(sizes)
        self.sizes = sizes
        self.aspect_ratios = aspect_ratios
        self.cell_anchors = [self.generate_anchors(s, r) for s, r in zip(sizes, aspect_ratios)]

    def generate_anchors(self, scales, aspect_ratios, dtype=_torch.float32, device=_torch.device('cpu')):
        # Boxes around zero: of each ratio of height to width one for each size.
        sizes = _torch.as_tensor(scales, dtype=dtype, device=device)
        root = _torch.sqrt(_torch.as_tensor(aspect_ratios, dtype=dtype, device=device))[:, None]
        w, h = (1 / root * sizes).view(-1), (root * sizes).view(-1)
        return (_torch.stack([-w, -h, w, h], dim=1) / 2).round()

    def set_cell_anchors(self, dtype, device):
        self.cell_anchors = [a.to(dtype=dtype, device=device) for a in self.cell_anchors]

    def num_anchors_per_location(self):
        return [len(s) * len(r) for s, r in zip(self.sizes, self.aspect_ratios)]

    def grid_anchors(self, grid_sizes, strides):
        cells = self.cell_anchors
        _torch._assert(len(grid_sizes) == len(strides) == len(cells), 'Anchors should be Tuple[Tuple[int]] because each feature map could potentially have '
                       'different sizes and aspect ratios. There needs to be a match between the number of feature maps passed and the number of sizes / '
                       'aspect ratios specified.')
        out = []
        for (h, w), (down, right), cell in zip(grid_sizes, strides, cells):
            y, x = [_torch.arange(0, n, dtype=_torch.int32, device=cell.device) * step for n, step in ((h, down), (w, right))]
            y, x = [t.reshape(-1) for t in _torch.meshgrid(y, x, indexing='ij')]
            out.append((_torch.stack((x, y, x, y), dim=1)[:, None] + cell).reshape(-1, 4))
        return out

    def forward(self, image_list, feature_maps):
        grids, size = [x.shape[-2:] for x in feature_maps], image_list.tensors.shape[-2:]
        first = feature_maps[0]
        strides = [[_torch.empty((), dtype=_torch.int64, device=first.device).fill_(n // g) for n, g in zip(size, grid)] for grid in grids]
        self.set_cell_anchors(first.dtype, first.device)
        levels = self.grid_anchors(grids, strides)
        return [_torch.cat(levels) for _ in image_list.image_sizes]


class DefaultBoxGenerator(_nn.Module):
    def __init__(self, aspect_ratios, min_ratio=0.15, max_ratio=0.9, scales=None, steps=None, clip=True):
        super().__init__()
        if steps is not None and len(aspect_ratios) != len(steps):
            raise ValueError('aspect_ratios and steps should have the same length')
        self.aspect_ratios = aspect_ratios
        self.steps = steps
        self.clip = clip
        n = len(aspect_ratios)
        if scales is None:
            scales = [min_ratio + (max_ratio - min_ratio) * k / (n - 1.0) for k in range(n)] + [1.0] if n > 1 else [min_ratio, max_ratio]
        self.scales = scales
        self._wh_pairs = self._generate_wh_pairs(n)

    def _generate_wh_pairs(self, num_outputs, dtype=_torch.float32, device=_torch.device('cpu')):
        # A square, one between it and the next level's, and each ratio lying and standing.
        out = []
        for size, after, ratios in zip(self.scales[:num_outputs], self.scales[1:], self.aspect_ratios):
            pairs = [[size, size], [_math.sqrt(size * after)] * 2]
            for r in ratios:
                long, short = size * _math.sqrt(r), size / _math.sqrt(r)
                pairs += [[long, short], [short, long]]
            out.append(_torch.as_tensor(pairs, dtype=dtype, device=device))
        return out

    def num_anchors_per_location(self):
        return [2 + 2 * len(r) for r in self.aspect_ratios]

    def _grid_default_boxes(self, grid_sizes, image_size, dtype=_torch.float32):
        out = []
        for k, (h, w) in enumerate(grid_sizes):
            rows, columns = (h, w) if self.steps is None else (image_size[0] / self.steps[k], image_size[1] / self.steps[k])
            y, x = [((_torch.arange(0, n) + 0.5) / parts).to(dtype=dtype) for n, parts in ((h, rows), (w, columns))]
            y, x = [t.reshape(-1) for t in _torch.meshgrid(y, x, indexing='ij')]
            sizes = self._wh_pairs[k].clamp(min=0, max=1) if self.clip else self._wh_pairs[k]
            at = _torch.stack((x, y) * len(sizes), dim=-1).reshape(-1, 2)
            out.append(_torch.cat((at, sizes.repeat(h * w, 1)), dim=1))
        return _torch.cat(out, dim=0)

    def forward(self, image_list, feature_maps):
        size, first = image_list.tensors.shape[-2:], feature_maps[0]
        boxes = self._grid_default_boxes([x.shape[-2:] for x in feature_maps], size, dtype=first.dtype).to(first.device)
        across = _torch.tensor([size[1], size[0]], device=boxes.device)
        at, half = boxes[:, :2], 0.5 * boxes[:, 2:]
        return [_torch.cat([(at - half) * across, (at + half) * across], -1) for _ in image_list.image_sizes]
