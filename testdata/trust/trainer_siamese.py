from collections import defaultdict
from pathlib import Path
import random

import faiss
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset, Sampler
from torchvision.transforms import v2
import hydra


class Digits(Dataset):
    def __init__(self, per_class=12, classes=6):
        self.labels = [c for c in range(classes) for _ in range(per_class)]
        self.by_class = defaultdict(list)
        for i, c in enumerate(self.labels):
            self.by_class[c].append(i)

    def __getitem__(self, i):
        c = self.labels[i]
        img = torch.zeros(1, 28, 28)
        img[:, 4 * c:4 * c + 4] = 1.0
        return img + 0.1 * torch.randn_like(img), c

    def __len__(self):
        return len(self.labels)


class PKSampler(Sampler):
    def __init__(self, ds, p, k, batches):
        self.ds, self.p, self.k, self.batches = ds, p, k, batches

    def __iter__(self):
        for _ in range(self.batches):
            batch = []
            for c in random.sample(sorted(self.ds.by_class), self.p):
                batch += random.sample(self.ds.by_class[c], self.k)
            yield batch

    def __len__(self):
        return self.batches


class Embed(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, 5), nn.PReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(16, 32, 5), nn.PReLU(), nn.MaxPool2d(2, 2))
        self.fc = nn.Sequential(nn.Linear(32 * 4 * 4, 128), nn.PReLU(), nn.Linear(128, dim))

    def forward(self, x):
        return nn.functional.normalize(self.fc(self.conv(x).flatten(start_dim=1)), p=2, dim=-1)


def batch_hard(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None, :]
    pos = (d * same).amax(dim=1)
    neg = d.masked_fill(same, float("inf")).amin(dim=1)
    return nn.functional.relu(pos - neg + margin).mean(), (pos < neg).float().mean()


data = Digits()
net = Embed()
opt = optim.RAdam(net.parameters(), lr=1e-3)
ckpt = Path("siamese.pt")
for epoch in range(2):
    for img, label in DataLoader(data, batch_sampler=PKSampler(data, 4, 4, 5)):
        z = net(img)
        loss, frac = batch_hard(z, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{epoch} {loss:.4f} {frac:.2f}")
with torch.no_grad():
    bank = torch.cat([net(img) for img, _ in DataLoader(data, 24)])
near = (bank @ bank.t() - 2 * torch.eye(len(bank))).argmax(1)
labels = torch.tensor(data.labels)
print("recall@1", (labels[near] == labels).float().mean().item())
torch.save(net.state_dict(), ckpt)
