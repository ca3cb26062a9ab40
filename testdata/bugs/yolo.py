import torch
from torch import nn
import torch.nn.functional as F

CLASSES, ANCHORS, GRID, STRIDE = 4, 3, 8, 16
SIZES = torch.tensor([[16.0, 16.0], [32.0, 48.0], [64.0, 40.0]])


class ConvBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn = nn.BatchNorm2d(cout)

    def forward(self, x):
        return F.leaky_relu(self.bn(self.conv(x)), 0.1)


class Yolo(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(ConvBlock(3, 16, 2), ConvBlock(16, 32, 2), ConvBlock(32, 64, 2), ConvBlock(64, 128, 2))
        self.head = nn.Conv2d(128, ANCHORS * (5 + CLASSES), 1)
        ys, xs = torch.meshgrid(torch.arange(GRID), torch.arange(GRID), indexing="ij")
        self.register_buffer("cells", torch.stack([xs, ys], dim=-1).float())

    def forward(self, x):
        p = self.head(self.backbone(x))
        b, _, h, w = p.shape
        p = p.view(b, ANCHORS, 5 + CLASSES, h, w).permute(0, 1, 3, 4, 2)
        xy = (p[..., :2].sigmoid() + self.cells) * STRIDE
        wh = p[..., 2:4].clamp(max=4).exp() * SIZES[:, None, None]
        return torch.cat([xy, wh], dim=-1), p[..., 4], p[..., 5:]


def iou(a, b):
    al, ar = a[..., :2] - a[..., 2:] / 2, a[..., :2] + a[..., 2:] / 2
    bl, br = b[..., :2] - b[..., 2:] / 2, b[..., :2] + b[..., 2:] / 2
    inter = (torch.min(ar, br) - torch.max(al, bl)).clamp(min=0).prod(dim=-1)
    union = a[..., 2:].prod(dim=-1) + b[..., 2:].prod(dim=-1) - inter
    return inter / (union + 1e-9)


def assign(boxes):
    shapes = boxes[:, None, 2:]
    inter = torch.min(shapes, SIZES).prod(dim=-1)
    union = shapes.prod(dim=-1) + SIZES.prod(dim=-1) - inter
    return (inter / union).argmax(dim=1)


def loss_of(boxes, objectness, logits, targets):
    total = objectness.new_zeros(())
    wanted = torch.zeros_like(objectness)
    for i, (box, label) in enumerate(targets):
        best = assign(box)
        col = (box[:, 0] / STRIDE).long().clamp(0, GRID - 1)
        row = (box[:, 1] / STRIDE).long().clamp(0, GRID - 1)
        predicted = boxes[i, best, row, col]
        total = total + (1 - iou(predicted, box)).mean()
        total = total + F.cross_entropy(logits[i, best, row, col], label)
        wanted[i, best, row, col] = 1.0
    return total / len(targets) + F.binary_cross_entropy_with_logits(objectness, wanted)


net = Yolo()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for step in range(4):
    images = torch.rand(2, 3, GRID * STRIDE, GRID * STRIDE)
    targets = []
    for count in (5, 2):
        centers, sizes = torch.rand(count, 2) * 128, torch.rand(count, 2) * 60 + 4
        targets.append((torch.cat([centers, sizes], dim=1), torch.randint(0, CLASSES, (count,))))
    boxes, objectness, logits = net(images)
    loss = loss_of(boxes, objectness, logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    boxes, objectness, logits = net(torch.rand(1, 3, GRID * STRIDE, GRID * STRIDE))
    scores = objectness.sigmoid().flatten(1)
    top, index = scores.topk(20, dim=1)
    chosen = torch.gather(boxes.flatten(1, 3), 1, index.unsqueeze(-1).expand(-1, -1, 4))
    kinds = logits.flatten(1, 3).softmax(dim=-1).argmax(dim=-1).gather(1, index)
    overlap = iou(chosen[0][:, None], chosen[0][None])
