"""A detector of one scale: classes and boxes for each cell of a feature map."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, STRIDE = 4, 8


class Detector(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1), nn.ReLU())
        self.classes = nn.Conv2d(2 * width, CLASSES, 1)
        self.boxes = nn.Conv2d(2 * width, 4, 1)

    def forward(self, images):
        x = self.backbone(images)
        scores = self.classes(x).permute(0, 2, 3, 1).flatten(1, 2)
        boxes = self.boxes(x).permute(0, 2, 3, 1).flatten(1, 2)
        return scores, boxes


def centres(h, w):
    y, x = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    grid = torch.stack([x, y], dim=-1)
    return (grid.reshape(-1, 2) + 0.5) * STRIDE


def area(b):
    return (b[:, 2] - b[:, 0]).clamp(min=0) * (b[:, 3] - b[:, 1]).clamp(min=0)


def iou(a, b):
    low = torch.maximum(a[:, None, :2], b[None, :, :2])
    high = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    common = (high - low).clamp(min=0).prod(dim=-1)
    return common / (area(a)[:, None] + area(b)[None, :] - common + 1e-6)


model = Detector(16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
images = torch.randn(2, 3, 64, 96)
truth = torch.tensor([[4.0, 4.0, 40.0, 30.0], [50.0, 10.0, 90.0, 60.0]])
labels = torch.randint(0, CLASSES, (2,))
points = centres(64 // STRIDE, 96 // STRIDE)
for step in range(2):
    scores, deltas = model(images)
    corners = torch.cat([points, points], dim=1)
    boxes = corners + deltas
    total = 0.0
    for i in range(images.size(0)):
        overlap = iou(boxes[i], truth)
        best, which = overlap.max(dim=1)
        target = F.one_hot(labels[which], CLASSES).float()
        weight = best.detach().clamp(min=0.1).unsqueeze(1)
        entropy = F.binary_cross_entropy_with_logits(scores[i], target, reduction="none")
        loss = (weight * entropy).sum(dim=1).mean()
        total = total + loss + F.smooth_l1_loss(boxes[i], truth[which])
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
with torch.no_grad():
    scores, deltas = model(images)
    confidence, found = scores.sigmoid().max(dim=2)
    keep = confidence[0] > 0.5
    print(found[0][keep].shape, (corners + deltas)[0][keep].shape)
