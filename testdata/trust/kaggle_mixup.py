import argparse
import random
from pathlib import Path

import cv2
import albumentations as A
from albumentations.pytorch import ToTensorV2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader
from tqdm import tqdm


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, default=Path("images"))
    ap.add_argument("--bs", type=int, default=8)
    ap.add_argument("--size", type=int, default=64)
    ap.add_argument("--alpha", type=float, default=0.4)
    return ap.parse_args()


class Images(Dataset):
    def __init__(self, files, size, train=True):
        self.files = files
        aug = [A.HorizontalFlip(p=0.5), A.RandomBrightnessContrast(p=0.2)] if train else []
        self.t = A.Compose([A.Resize(size, size), *aug, A.Normalize(), ToTensorV2()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        f = self.files[i]
        img = cv2.imread(str(f))
        img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)
        img = self.t(image=img)["image"]
        label = int(f.stem.split("_")[-1]) % 4
        return img, torch.tensor(label)


def mixup(x, y, alpha, classes=4):
    lam = np.random.beta(alpha, alpha) if alpha > 0 else 1.0
    perm = torch.randperm(x.size(0), device=x.device)
    t = F.one_hot(y, classes).float()
    return lam * x + (1 - lam) * x[perm], lam * t + (1 - lam) * t[perm]


class ResBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.c1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.b1 = nn.BatchNorm2d(cout)
        self.c2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.b2 = nn.BatchNorm2d(cout)
        self.skip = nn.Identity() if stride == 1 and cin == cout else nn.Conv2d(cin, cout, 1, stride)

    def forward(self, x):
        h = F.silu(self.b1(self.c1(x)))
        return F.silu(self.b2(self.c2(h)) + self.skip(x))


def main():
    args = get_args()
    files = sorted(args.data.glob("*.png"))
    random.Random(0).shuffle(files)
    cut = int(0.8 * len(files))
    tl = DataLoader(Images(files[:cut], args.size), args.bs, shuffle=True, drop_last=True)
    vl = DataLoader(Images(files[cut:], args.size, False), args.bs)
    net = nn.Sequential(ResBlock(3, 16), ResBlock(16, 32, 2), ResBlock(32, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 4))
    opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9, nesterov=True)
    sch = torch.optim.lr_scheduler.OneCycleLR(opt, 0.05, total_steps=2 * len(tl))
    for ep in range(2):
        net.train()
        bar = tqdm(tl, desc=f"ep {ep}")
        for x, y in bar:
            x, t = mixup(x, y, args.alpha)
            loss = -(t * net(x).log_softmax(1)).sum(1).mean()
            opt.zero_grad(); loss.backward(); opt.step(); sch.step()
            bar.set_postfix(loss=f"{loss.item():.3f}", lr=sch.get_last_lr()[0])
        net.eval()
        hits, n = 0, 0
        with torch.no_grad():
            for x, y in vl:
                out = (net(x) + net(x.flip(-1))) / 2
                hits += (out.argmax(1) == y).sum().item(); n += len(y)
        print("acc", hits / max(n, 1))


if __name__ == "__main__":
    main()
