import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.loggers import CSVLogger
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset
from torchmetrics.classification import MulticlassJaccardIndex


class Shapes(Dataset):
    def __init__(self, n, size=32):
        self.n, self.size = n, size

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        yy, xx = torch.meshgrid(torch.arange(self.size), torch.arange(self.size), indexing="ij")
        cy, cx, r = 8 + i % 16, 8 + (i * 7) % 16, 3 + i % 4
        disc = (yy - cy) ** 2 + (xx - cx) ** 2 <= r * r
        mask = disc.long() * (1 + i % 2)
        img = torch.stack([disc.float(), disc.float() * (i % 2), torch.rand(self.size, self.size)])
        return {"image": img, "mask": mask}


def double(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(True), nn.Conv2d(cout, cout, 3, padding=1), nn.ReLU(True))


class UNet(nn.Module):
    def __init__(self, classes, widths=(8, 16, 32)):
        super().__init__()
        self.enc = nn.ModuleList(double(a, b) for a, b in zip((3,) + widths[:-1], widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(widths[-2::-1], widths[:0:-1]))
        self.dec = nn.ModuleList(double(2 * a, a) for a in widths[-2::-1])
        self.out = nn.Conv2d(widths[0], classes, 1)

    def forward(self, x):
        skips = []
        for i, e in enumerate(self.enc):
            x = e(x if i == 0 else F.max_pool2d(x, 2))
            skips.append(x)
        for up, dec, s in zip(self.up, self.dec, skips[-2::-1]):
            x = dec(torch.cat([up(x), s], dim=1))
        return self.out(x)


def dice_loss(logits, target, eps=1.0):
    prob = logits.softmax(1)
    hot = F.one_hot(target, logits.size(1)).permute(0, 3, 1, 2).type_as(prob)
    inter = (prob * hot).sum((2, 3))
    return 1 - ((2 * inter + eps) / (prob.sum((2, 3)) + hot.sum((2, 3)) + eps)).mean()


class Seg(L.LightningModule):
    def __init__(self, classes=3, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = UNet(self.hparams.classes)
        self.iou = MulticlassJaccardIndex(num_classes=3)

    def forward(self, x):
        return self.net(x)

    def shared(self, batch, stage):
        logits = self(batch["image"])
        loss = F.cross_entropy(logits, batch["mask"]) + dice_loss(logits, batch["mask"])
        self.log(f"{stage}_loss", loss, on_epoch=True)
        return loss, logits

    def training_step(self, batch, batch_idx):
        return self.shared(batch, "train")[0]

    def validation_step(self, batch, batch_idx):
        _, logits = self.shared(batch, "val")
        self.iou(logits.argmax(1), batch["mask"])
        self.log("val_iou", self.iou)

    def configure_optimizers(self):
        opt = optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return [opt], [optim.lr_scheduler.ExponentialLR(opt, 0.9)]


seg = Seg()
trainer = L.Trainer(max_epochs=1, logger=CSVLogger("logs"), accelerator="cpu", limit_val_batches=1, enable_progress_bar=False)
trainer.fit(seg, DataLoader(Shapes(32), 8, shuffle=True), DataLoader(Shapes(8), 4))
seg.eval()
with torch.no_grad():
    pred = seg(Shapes(4)[1]["image"].unsqueeze(0)).argmax(1)
print(pred.shape, pred.unique())
