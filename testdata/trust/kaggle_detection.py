import math
import torch
import torchvision
from pycocotools.coco import COCO
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision.ops import batched_nms, box_iou, generalized_box_iou_loss, sigmoid_focal_loss

STRIDE, CLASSES, SIZE = 8, 3, 64


class Boxes(Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        n = int(torch.randint(1, 4, (1,), generator=g))
        xy = torch.rand(n, 2, generator=g) * (SIZE - 24)
        wh = 8 + torch.rand(n, 2, generator=g) * 16
        img = torch.rand(3, SIZE, SIZE, generator=g)
        return img, {"boxes": torch.cat([xy, xy + wh], dim=1), "labels": torch.randint(0, CLASSES, (n,), generator=g)}


def collate(batch):
    imgs, targets = tuple(zip(*batch))
    return torch.stack(imgs), list(targets)


class FCOS(nn.Module):
    def __init__(self):
        super().__init__()
        layers, c = [], 3
        for w in (16, 32, 64):
            layers += [nn.Conv2d(c, w, 3, 2, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU(True)]
            c = w
        self.backbone = nn.Sequential(*layers)
        self.cls = nn.Conv2d(c, CLASSES, 3, padding=1)
        self.reg = nn.Conv2d(c, 4, 3, padding=1)
        nn.init.constant_(self.cls.bias, -math.log((1 - 0.01) / 0.01))

    def forward(self, x):
        f = self.backbone(x)
        h, w = f.shape[-2:]
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        centers = (torch.stack([xs, ys], -1).view(-1, 2) + 0.5) * STRIDE
        logits = self.cls(f).flatten(2).transpose(1, 2)
        ltrb = self.reg(f).flatten(2).transpose(1, 2).exp() * STRIDE
        boxes = torch.cat([centers - ltrb[..., :2], centers + ltrb[..., 2:]], dim=-1)
        return logits, boxes, centers


def loss_fn(logits, boxes, centers, targets):
    total = 0.0
    for lg, bx, t in zip(logits, boxes, targets):
        gt, lab = t["boxes"], t["labels"]
        inside = ((centers[:, None] > gt[None, :, :2]) & (centers[:, None] < gt[None, :, 2:])).all(-1)
        fg, idx = inside.any(1), inside.float().argmax(1)
        onehot = torch.zeros_like(lg)
        onehot[fg, lab[idx[fg]]] = 1.0
        cls = sigmoid_focal_loss(lg, onehot, reduction="sum")
        reg = generalized_box_iou_loss(bx[fg], gt[idx[fg]], reduction="sum")
        total = total + (cls + reg) / fg.sum().clamp(min=1)
    return total / len(targets)


net = FCOS()
opt = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
for images, targets in DataLoader(Boxes(), batch_size=4, collate_fn=collate):
    loss = loss_fn(*net(images), targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    logits, boxes, _ = net(images)
    for lg, bx, t in zip(logits.sigmoid(), boxes.clamp(0, SIZE), targets):
        score, label = lg.max(-1)
        keep = score > 0.001
        sel = batched_nms(bx[keep], score[keep], label[keep], 0.5)[:100]
        iou = box_iou(bx[keep][sel], t["boxes"])
        print(torchvision.__version__, iou.shape, score[keep][sel][:3])
