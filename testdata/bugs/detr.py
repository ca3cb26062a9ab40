import torch
import torch.nn as nn
import torch.nn.functional as F

QUERIES, CLASSES, DIM = 20, 5, 64


def box_to_corners(b):
    x, y, w, h = b.unbind(-1)
    return torch.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], dim=-1)


def giou(a, b):
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    low, high = torch.max(a[:, None, :2], b[None, :, :2]), torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (high - low).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    union = area_a[:, None] + area_b[None] - inter
    return inter / union


class DETR(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 32, 4, 4), nn.ReLU(), nn.Conv2d(32, 128, 4, 4), nn.ReLU())
        self.reduce = nn.Conv2d(128, DIM, 1)
        self.transformer = nn.Transformer(DIM, 4, 1, 1, 128, batch_first=True)
        self.queries = nn.Embedding(QUERIES, DIM)
        self.row, self.col = nn.Parameter(torch.rand(50, DIM // 2)), nn.Parameter(torch.rand(50, DIM // 2))
        self.classes = nn.Linear(DIM, CLASSES + 1)
        self.boxes = nn.Linear(DIM, 4)

    def forward(self, images):
        x = self.reduce(self.backbone(images))
        b, c, h, w = x.shape
        place = torch.cat([self.col[:w].unsqueeze(0).expand(h, -1, -1), self.row[:h].unsqueeze(1).expand(-1, w, -1)], dim=-1)
        memory = x.flatten(2).permute(0, 2, 1) + place.flatten(0, 1).unsqueeze(0)
        out = self.transformer(memory, self.queries.weight.unsqueeze(0).expand(b, -1, -1))
        return self.classes(out), self.boxes(out).sigmoid()


model = DETR()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(3):
    images = torch.rand(2, 3, 128, 160)
    targets = [{"labels": torch.randint(0, CLASSES, (3,)), "boxes": torch.rand(3, 4)} for _ in range(2)]
    logits, boxes = model(images)
    total = torch.zeros(())
    for i, t in enumerate(targets):
        probability = logits[i].softmax(dim=-1)
        cost = -probability[:, t["labels"]] + torch.cdist(boxes[i], t["boxes"], p=1)
        cost = cost - giou(box_to_corners(boxes[i]), box_to_corners(t["boxes"]))
        chosen = cost.argmin(dim=0)
        wanted = torch.full((QUERIES,), CLASSES, dtype=torch.long)
        wanted[chosen] = t["labels"]
        total = total + F.cross_entropy(logits[i], wanted) + F.l1_loss(boxes[i][chosen], t["boxes"])
    loss = total / len(targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
