# A detector without the part that data decide the sizes of: backbone, pyramid,
# anchors, heads, decoded and clipped boxes, the best of them.
import math
from collections import OrderedDict
from typing import Dict, List

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def conv_bn(cin, cout, stride=1):
    return nn.Sequential(OrderedDict([("conv", nn.Conv2d(cin, cout, 3, stride, 1, bias=False)), ("bn", nn.BatchNorm2d(cout)), ("act", nn.ReLU6())]))


class Backbone(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = conv_bn(3, width, 2)
        self.stages = nn.ModuleDict({f"c{i}": conv_bn(width * 2 ** (i - 2), width * 2 ** (i - 1), 2) for i in (2, 3, 4)})

    def forward(self, x) -> Dict[str, Tensor]:
        x = self.stem(x)
        out = OrderedDict()
        for name, stage in self.stages.items():
            x = stage(x)
            out[name] = x
        return out


class Pyramid(nn.Module):
    def __init__(self, channels: List[int], width=16):
        super().__init__()
        self.lateral = nn.ModuleList([nn.Conv2d(c, width, 1) for c in channels])
        self.smooth = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in channels])
        self.extra = nn.Conv2d(width, width, 3, 2, 1)

    def forward(self, features):
        names, maps = list(features.keys()), list(features.values())
        last = self.lateral[-1](maps[-1])
        results = [self.smooth[-1](last)]
        for i in range(len(maps) - 2, -1, -1):
            side = self.lateral[i](maps[i])
            last = side + F.interpolate(last, size=side.shape[-2:], mode="nearest")
            results.insert(0, self.smooth[i](last))
        results.append(self.extra(F.relu(results[-1])))
        return OrderedDict(zip([n.replace("c", "p") for n in names] + ["pool"], results))


class Anchors(nn.Module):
    def __init__(self, sizes=(8, 16, 32, 64), ratios=(0.5, 1.0, 2.0)):
        super().__init__()
        self.cells = []
        for s in sizes:
            h = torch.tensor([math.sqrt(r) for r in ratios]) * s
            w = s / torch.tensor([math.sqrt(r) for r in ratios])
            self.cells.append(torch.stack([-w, -h, w, h], dim=1) / 2)

    def forward(self, image, maps):
        out = []
        for cell, m in zip(self.cells, maps):
            rows, cols = m.shape[-2:]
            sy, sx = image.shape[-2] // rows, image.shape[-1] // cols
            ys = torch.arange(0, rows, dtype=torch.int32) * sy
            xs = torch.arange(0, cols, dtype=torch.int32) * sx
            y, x = torch.meshgrid(ys, xs, indexing="ij")
            x, y = x.reshape(-1), y.reshape(-1)
            shifts = torch.stack((x, y, x, y), dim=1)
            out.append((shifts.view(-1, 1, 4) + cell.view(1, -1, 4)).reshape(-1, 4))
        return torch.cat(out)


class Head(nn.Module):
    def __init__(self, width, anchors, classes):
        super().__init__()
        self.classes = classes
        self.tower = nn.Sequential(*[m for _ in range(2) for m in (nn.Conv2d(width, width, 3, padding=1), nn.GroupNorm(4, width), nn.ReLU())])
        self.logits = nn.Conv2d(width, anchors * classes, 3, padding=1)
        self.deltas = nn.Conv2d(width, anchors * 4, 3, padding=1)
        nn.init.constant_(self.logits.bias, -math.log((1 - 0.01) / 0.01))

    @staticmethod
    def flat(x, size):
        n, _, h, w = x.shape
        return x.view(n, -1, size, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, size)

    def forward(self, maps):
        scores, deltas = [], []
        for m in maps:
            t = self.tower(m)
            scores.append(self.flat(self.logits(t), self.classes))
            deltas.append(self.flat(self.deltas(t), 4))
        return torch.cat(scores, dim=1), torch.cat(deltas, dim=1)


def decode(deltas, anchors, weights=(1.0, 1.0, 1.0, 1.0), clip=math.log(1000.0 / 16)):
    widths, heights = anchors[:, 2] - anchors[:, 0], anchors[:, 3] - anchors[:, 1]
    cx, cy = anchors[:, 0] + 0.5 * widths, anchors[:, 1] + 0.5 * heights
    wx, wy, ww, wh = weights
    dx, dy = deltas[..., 0] / wx, deltas[..., 1] / wy
    dw, dh = torch.clamp(deltas[..., 2] / ww, max=clip), torch.clamp(deltas[..., 3] / wh, max=clip)
    x, y = dx * widths + cx, dy * heights + cy
    w, h = torch.exp(dw) * widths, torch.exp(dh) * heights
    return torch.stack((x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h), dim=-1)


def clip_boxes(boxes, size):
    height, width = size
    x = boxes[..., 0::2].clamp(min=0, max=width)
    y = boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=boxes.dim()).reshape(boxes.shape)


class Detector(nn.Module):
    def __init__(self, classes=5, keep=20, width=16):
        super().__init__()
        self.keep = keep
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(-1, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor([0.229, 0.224, 0.225]).view(-1, 1, 1), persistent=False)
        self.backbone = Backbone()
        self.fpn = Pyramid([16, 32, 64], width)
        self.anchors = Anchors()
        self.head = Head(width, 3, classes)

    def forward(self, images):
        x = (images - self.mean) / self.std
        maps = list(self.fpn(self.backbone(x)).values())
        logits, deltas = self.head(maps)
        boxes = clip_boxes(decode(deltas, self.anchors(x, maps)), images.shape[-2:])
        best, labels = logits.sigmoid().max(dim=-1)
        scores, index = best.topk(self.keep, dim=1)
        boxes = torch.gather(boxes, 1, index.unsqueeze(-1).expand(-1, -1, 4))
        return {"boxes": boxes, "scores": scores, "labels": labels.gather(1, index)}
