import lightning as L
import lightning.pytorch as pl
from lightning.pytorch.callbacks import ModelCheckpoint, EarlyStopping
from lightning.pytorch.loggers import WandbLogger
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import torchmetrics
class DM(L.LightningDataModule):
    def __init__(self, bs=16):
        super().__init__()
        self.save_hyperparameters()
        self.bs = bs
    def setup(self, stage=None):
        self.d = TensorDataset(torch.randn(100, 8), torch.randint(3, (100,)))
    def train_dataloader(self):
        return DataLoader(self.d, batch_size=self.bs, shuffle=True)
    def val_dataloader(self):
        return DataLoader(self.d, batch_size=self.bs)
class M(pl.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
        self.acc = torchmetrics.Accuracy(task="multiclass", num_classes=3)
    def forward(self, x):
        return self.net(x)
    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        self.log("train_loss", loss, prog_bar=True)
        return loss
    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.acc(logits, y)
        self.log("acc", self.acc)
    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)}
if __name__ == "__main__":
    pl.seed_everything(3)
    trainer = pl.Trainer(max_epochs=3, callbacks=[ModelCheckpoint(monitor="acc"), EarlyStopping("acc")], logger=WandbLogger())
    trainer.fit(M(), datamodule=DM())
    trainer.test(ckpt_path="best", datamodule=DM())
