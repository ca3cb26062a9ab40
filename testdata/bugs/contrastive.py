"""Two views, a projector and a momentum encoder; then a linear probe in a trainer of modules with steps."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, width, 3, stride=2), nn.ReLU())
        self.project = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 16))

    def features(self, x):
        return self.conv(x).mean(dim=(2, 3))

    def forward(self, x):
        return F.normalize(self.project(self.features(x)), dim=1)


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.momentum = Encoder(), Encoder()
        self.momentum.load_state_dict(self.encoder.state_dict())
        self.momentum.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(16, 40), dim=0))
        self.register_buffer("at", torch.zeros(1, dtype=torch.long))

    def training_step(self, batch):
        image, _ = batch
        first, second = image + 0.1 * torch.randn_like(image), image.flip(3)
        q = self.encoder(first)
        with torch.no_grad():
            k = self.momentum(second)
        positive = (q * k).sum(dim=1, keepdim=True)
        negative = q @ self.queue.clone()
        logits = torch.cat([positive, negative], dim=1) / 0.2
        loss = F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
        at = int(self.at)
        self.queue[:, at:at + len(k)] = k.t()
        self.at[0] = (at + len(k)) % self.queue.shape[1]
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.encoder.parameters(), lr=0.1)


class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder, self.head = encoder, nn.Linear(32, 5)
        self.hits = []

    def training_step(self, batch):
        image, label = batch
        with torch.no_grad():
            h = self.encoder.features(image)
        scores = self.head(h)
        self.hits.append((scores.argmax(dim=1) == label).float().mean())
        return F.cross_entropy(scores, label)

    def configure_optimizers(self):
        return torch.optim.Adam(self.head.parameters(), lr=1e-2)


def fit(module, loader, epochs):
    optimizer = module.configure_optimizers()
    for _ in range(epochs):
        for batch in loader:
            loss = module.training_step(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


data = TensorDataset(torch.randn(40, 1, 28, 28), torch.randint(0, 5, (40,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
module = Module()
print(fit(module, loader, 1))
probe = Probe(module.encoder)
print(fit(probe, loader, 2), torch.stack(probe.hits).mean().item())
