"""Boxes without anchors: a pyramid of two levels, centres in boxes as targets, decoded boxes with the best scores."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, WIDTH = 4, 24


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Sequential(nn.Conv2d(3, WIDTH, 3, 4, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.ReLU(inplace=True))
        self.c2 = nn.Sequential(nn.Conv2d(WIDTH, 2 * WIDTH, 3, 2, 1, bias=False), nn.BatchNorm2d(2 * WIDTH), nn.ReLU(inplace=True))
        self.lateral1, self.lateral2 = nn.Conv2d(WIDTH, WIDTH, 1), nn.Conv2d(2 * WIDTH, WIDTH, 1)

    def forward(self, x):
        c1 = self.c1(x)
        c2 = self.c2(c1)
        p2 = self.lateral2(c2)
        p1 = self.lateral1(c1) + F.interpolate(p2, size=c1.shape[-2:], mode="nearest")
        return [p1, p2]


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.GroupNorm(4, WIDTH), nn.ReLU())
        self.scores, self.boxes, self.centre = (nn.Conv2d(WIDTH, n, 1) for n in (CLASSES, 4, 1))
        self.scales = nn.Parameter(torch.ones(2))

    def forward(self, levels):
        scores, boxes, centres = [], [], []
        for i, f in enumerate(levels):
            h = self.tower(f)
            scores.append(self.scores(h).flatten(2).transpose(1, 2))
            boxes.append((self.scales[i] * self.boxes(h)).exp().flatten(2).transpose(1, 2))
            centres.append(self.centre(h).flatten(1))
        return torch.cat(scores, dim=1), torch.cat(boxes, dim=1), torch.cat(centres, dim=1)


def places(levels, strides):
    out = []
    for f, s in zip(levels, strides):
        h, w = f.shape[-2:]
        y, x = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        out.append(torch.stack([x, y], dim=-1).reshape(-1, 2) * s + s // 2)
    return torch.cat(out)


body, head = Body(), Head()
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.01)
images = torch.randn(3, 3, 64, 80)
truth = torch.tensor([[8.0, 8.0, 40.0, 40.0], [30.0, 10.0, 70.0, 50.0]])
labels = torch.randint(0, CLASSES, (2,))
for step in range(2):
    levels = body(images)
    scores, sides, centre = head(levels)
    points = places(levels, (4, 8)).float()
    offsets = torch.cat([points[:, None] - truth[None, :, :2], truth[None, :, 2:] - points[:, None]], dim=2)
    inside = offsets.min(dim=2).values > 0
    area = (truth[:, 2:] - truth[:, :2]).prod(dim=1)
    cost = torch.where(inside, area[None].expand(len(points), -1), torch.full((len(points), 2), 1e8))
    smallest, which = cost.min(dim=1)
    positive = smallest < 1e8
    target = torch.where(positive[:, None], F.one_hot(labels[which], CLASSES), torch.zeros(1, dtype=torch.long)).float()
    target = target.expand(3, -1, -1)
    p = scores.sigmoid()
    focal = F.binary_cross_entropy_with_logits(scores, target, reduction="none") * (p - target).abs().pow(2)
    wanted = offsets[torch.arange(len(points)), which]
    distance = F.smooth_l1_loss(sides[:, positive], wanted[positive].expand(3, -1, -1))
    sides4 = wanted[positive]
    ratio = sides4[:, [0, 1]].minimum(sides4[:, [2, 3]]) / sides4[:, [0, 1]].maximum(sides4[:, [2, 3]])
    centreness = ratio.prod(dim=1).sqrt()
    near = F.binary_cross_entropy_with_logits(centre[:, positive], centreness.expand(3, -1))
    loss = focal.sum(dim=2).mean() + distance + near
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    best, kind = (scores.sigmoid() * centre.sigmoid().unsqueeze(2)).max(dim=2)
    top, where = best.topk(5, dim=1)
    chosen = sides.gather(1, where.unsqueeze(2).expand(-1, -1, 4))
    corner = points[where] - chosen[..., :2]
print(corner.shape, kind.gather(1, where).shape)
