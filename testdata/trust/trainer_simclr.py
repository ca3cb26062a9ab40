import argparse
import logging

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset
from torchvision.models import resnet18

log = logging.getLogger(__name__)


class TwoViews(Dataset):
    def __init__(self, n=64, size=32):
        self.images = torch.rand(n, 3, size, size)

    def __len__(self):
        return self.images.shape[0]

    def augment(self, img):
        if torch.rand(1).item() < 0.5:
            img = img.flip(-1)
        top, left = torch.randint(0, 5, (2,)).tolist()
        crop = img[:, top:top + 28, left:left + 28]
        return F.interpolate(crop[None], size=(32, 32), mode="bilinear", align_corners=False)[0]

    def __getitem__(self, idx):
        img = self.images[idx]
        return self.augment(img), self.augment(img)


class SimCLR(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.backbone = resnet18(weights=None)
        feat = self.backbone.fc.in_features
        self.backbone.fc = nn.Identity()
        self.projector = nn.Sequential(nn.Linear(feat, feat), nn.BatchNorm1d(feat), nn.ReLU(inplace=True), nn.Linear(feat, dim))

    def forward(self, x):
        h = self.backbone(x)
        return h, F.normalize(self.projector(h), dim=1)


def nt_xent(z1, z2, tau=0.5):
    n = z1.size(0)
    z = torch.cat([z1, z2])
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.arange(2 * n, device=z.device).roll(n)
    acc = (sim.argmax(dim=1) == target).float().mean()
    return F.cross_entropy(sim, target), acc


def main(args):
    loader = DataLoader(TwoViews(), batch_size=args.batch_size, shuffle=True, drop_last=True, num_workers=0)
    device = torch.device(args.device)
    model = SimCLR(args.dim).to(device)
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader) * args.epochs)
    scaler = torch.amp.GradScaler("cuda", enabled=args.device == "cuda")
    for epoch in range(args.epochs):
        for v1, v2 in loader:
            v1, v2 = v1.to(device, non_blocking=True), v2.to(device, non_blocking=True)
            with torch.autocast(device_type=args.device, enabled=args.device == "cuda"):
                _, z = model(torch.cat([v1, v2], dim=0))
                loss, acc = nt_xent(*z.chunk(2))
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
        log.info("epoch %d loss %.4f acc %.3f", epoch, loss.item(), acc.item())
    torch.save({"model": model.state_dict(), "args": vars(args)}, "simclr.pt")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--dim", type=int, default=64)
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    logging.basicConfig(level=logging.INFO)
    main(p.parse_args())
