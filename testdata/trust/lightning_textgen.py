import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Chars(Dataset):
    def __init__(self, text, length):
        self.itos = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.itos)}
        self.data = torch.tensor([self.stoi[c] for c in text], dtype=torch.long)
        self.length = length

    def __len__(self):
        return len(self.data) - self.length

    def __getitem__(self, i):
        chunk = self.data[i:i + self.length + 1]
        return chunk[:-1], chunk[1:]


class CharModule(pl.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        self.train = Chars("the quick brown fox jumps over the lazy dog. " * 20, 32)

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)


class LM(pl.LightningModule):
    def __init__(self, vocab, dim=64, lr=3e-3):
        super().__init__()
        self.save_hyperparameters()
        self.emb = nn.Embedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 128, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, vocab)
        self.register_buffer("pos", torch.randn(1, 256, dim) * 0.02)

    def forward(self, ids):
        n = ids.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(n)
        return self.head(self.enc(self.emb(ids) + self.pos[:, :n], mask=mask, is_causal=True))

    def training_step(self, batch, _):
        x, y = batch
        loss = F.cross_entropy(self(x).transpose(1, 2), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)

    @torch.no_grad()
    def sample(self, ids, n):
        for _ in range(n):
            p = self(ids[:, -64:])[:, -1].softmax(-1)
            ids = torch.cat([ids, torch.multinomial(p, 1)], 1)
        return ids


if __name__ == "__main__":
    pl.seed_everything(7)
    dm = CharModule()
    dm.setup()
    model = LM(len(dm.train.itos))
    trainer = pl.Trainer(max_steps=5, enable_checkpointing=False, logger=False)
    trainer.fit(model, datamodule=dm)
    out = model.eval().sample(torch.zeros(1, 1, dtype=torch.long), 20)
    print("".join(dm.train.itos[i] for i in out[0].tolist()))
