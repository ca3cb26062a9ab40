import glob, os
import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import matplotlib.pyplot as plt
from torch.utils.data import Dataset, DataLoader, Subset
from tqdm.auto import tqdm


class SegData(Dataset):
    def __init__(self, root, size=(64, 96)):
        self.img = sorted(glob.glob(os.path.join(root, "img", "*.png")))
        self.size = size

    def __len__(self):
        return max(len(self.img), 12)

    def __getitem__(self, idx):
        h, w = self.size
        if idx < len(self.img):
            image = cv2.cvtColor(cv2.imread(self.img[idx]), cv2.COLOR_BGR2RGB)
            image = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA)
            mask = cv2.imread(self.img[idx].replace("img", "mask"), cv2.IMREAD_GRAYSCALE)
            mask = (cv2.resize(mask, (w, h), interpolation=cv2.INTER_NEAREST) > 127).astype(np.float32)
        else:
            image = np.random.randint(0, 255, (h, w, 3)).astype(np.uint8)
            mask = (image.mean(-1) > 127).astype(np.float32)
        image = image.astype(np.float32) / 255.0
        image = (image - np.array([0.485, 0.456, 0.406], np.float32)) / np.array([0.229, 0.224, 0.225], np.float32)
        return torch.from_numpy(image.transpose(2, 0, 1)).float(), torch.from_numpy(mask[None])


class DoubleConv(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True), nn.Conv2d(o, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, ch=(16, 32, 64)):
        super().__init__()
        self.inc = DoubleConv(3, ch[0])
        self.down = nn.ModuleList(DoubleConv(a, b) for a, b in zip(ch[:-1], ch[1:]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in reversed(list(zip(ch[:-1], ch[1:]))))
        self.dec = nn.ModuleList(DoubleConv(2 * a, a) for a in reversed(ch[:-1]))
        self.out = nn.Conv2d(ch[0], 1, 1)

    def forward(self, x):
        feats = [self.inc(x)]
        for d in self.down:
            feats.append(d(F.max_pool2d(feats[-1], 2)))
        x = feats.pop()
        for up, dec in zip(self.up, self.dec):
            x = up(x)
            skip = feats.pop()
            if x.shape[-2:] != skip.shape[-2:]:
                x = F.interpolate(x, size=skip.shape[-2:], mode="bilinear", align_corners=False)
            x = dec(torch.cat([skip, x], dim=1))
        return self.out(x)


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    inter = (p * t).sum(1)
    return 1 - ((2 * inter + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


data = SegData("carvana")
n = int(len(data) * 0.75)
train, valid = Subset(data, range(n)), Subset(data, list(range(n, len(data))))
model = UNet()
opt = torch.optim.Adam(model.parameters(), 1e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
hist = {"train": [], "valid": []}
for epoch in range(2):
    model.train()
    run = 0.0
    for x, m in tqdm(DataLoader(train, 4, shuffle=True)):
        pred = model(x)
        loss = F.binary_cross_entropy_with_logits(pred, m) + dice_loss(pred, m)
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item() * x.size(0)
    hist["train"].append(run / len(train))
    model.eval()
    with torch.no_grad():
        ious = []
        for x, m in DataLoader(valid, 4):
            p = (model(x).sigmoid() > 0.5).float()
            inter, union = (p * m).sum((1, 2, 3)), ((p + m) > 0).float().sum(dim=(1, 2, 3))
            ious.append((inter / union.clamp(min=1)).cpu().numpy())
    score = float(np.concatenate(ious).mean())
    hist["valid"].append(score)
    plateau.step(1 - score)
fig, ax = plt.subplots(1, 2, figsize=(8, 3))
for a, k in zip(ax, hist):
    a.plot(hist[k]); a.set_title(k)
fig.savefig("curves.png")
