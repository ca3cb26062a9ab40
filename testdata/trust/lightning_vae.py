import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchmetrics import MeanMetric


class Encoder(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.GELU(), nn.Conv2d(16, 32, 4, 2, 1), nn.GELU(), nn.Flatten())
        self.mu, self.logvar = nn.Linear(32 * 7 * 7, z), nn.Linear(32 * 7 * 7, z)

    def forward(self, x):
        h = self.net(x)
        return self.mu(h), self.logvar(h)


class VAE(L.LightningModule):
    def __init__(self, z: int = 16, beta: float = 0.5, lr: float = 1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.enc = Encoder(z)
        self.dec = nn.Sequential(nn.Linear(z, 32 * 7 * 7), nn.Unflatten(1, (32, 7, 7)), nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.GELU(), nn.ConvTranspose2d(16, 1, 4, 2, 1))
        self.metric = MeanMetric()

    def forward(self, x):
        mu, logvar = self.enc(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def step(self, batch):
        (x,) = batch
        rec, mu, logvar = self(x)
        rec_loss = F.binary_cross_entropy_with_logits(rec, x, reduction="none").flatten(1).sum(1).mean()
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
        return rec_loss + self.hparams.beta * kl, rec_loss, kl

    def training_step(self, batch, batch_idx):
        loss, rec, kl = self.step(batch)
        self.log_dict({"train/loss": loss, "train/rec": rec, "train/kl": kl}, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        loss, *_ = self.step(batch)
        self.metric.update(loss)
        self.log("val/loss", loss)

    def on_validation_epoch_end(self):
        self.log("val/mean", self.metric.compute())
        self.metric.reset()

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(opt, 2)}


def main():
    L.seed_everything(1)
    data = TensorDataset(torch.rand(64, 1, 28, 28))
    train, val = random_split(data, [48, 16])
    trainer = L.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=True, callbacks=[EarlyStopping("val/loss"), ModelCheckpoint(monitor="val/loss")])
    model = VAE()
    trainer.fit(model, DataLoader(train, 16, shuffle=True), DataLoader(val, 16))
    with torch.no_grad():
        samples = model.dec(torch.randn(4, model.hparams.z)).sigmoid()
    print(samples.shape)


if __name__ == "__main__":
    main()
