# Variational autoencoders: in evaluation the mean stands for the sample.
import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, pixels=48, hidden=20, latent=4):
        super().__init__()
        self.pixels = pixels
        self.fc1 = nn.Linear(pixels, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, pixels)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, self.pixels))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


class ConvVAE(nn.Module):
    def __init__(self, latent=6, width=4):
        super().__init__()
        w = width
        self.encoder = nn.Sequential(
            nn.Conv2d(3, w, 4, 2, 1), nn.BatchNorm2d(w), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(w, 2 * w, 4, 2, 1), nn.InstanceNorm2d(2 * w, affine=True), nn.ELU(),
        )
        self.mu = nn.Linear(2 * w * 16, latent)
        self.logvar = nn.Linear(2 * w * 16, latent)
        self.start = nn.Linear(latent, 2 * w * 16)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(2 * w, w, 4, 2, 1), nn.PReLU(w),
            nn.ConvTranspose2d(w, 3, 3, 2, 1, output_padding=1), nn.Tanh(),
        )

    def forward(self, x):
        h = self.encoder(x)
        flat = torch.flatten(h, start_dim=1)
        mu, logvar = self.mu(flat), self.logvar(flat).clamp(-10, 10)
        z = mu + torch.exp(0.5 * logvar) * 0 if not self.training else mu + torch.randn_like(mu)
        out = self.decoder(self.start(z).view(-1, h.shape[1], 4, 4))
        kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1)
        recon = F.mse_loss(out, x, reduction="none").flatten(1).sum(1)
        return {"reconstruction": out, "losses": {"kl": kl.mean(), "recon": recon.mean()}, "latent": z}


class VectorQuantized(nn.Module):
    """The nearest entry of a table, with the straight-through estimate."""

    def __init__(self, entries=16, width=4):
        super().__init__()
        self.encode = nn.Conv2d(3, width, 4, stride=4)
        self.table = nn.Embedding(entries, width)
        self.decode = nn.ConvTranspose2d(width, 3, 4, stride=4)

    def forward(self, x):
        z = self.encode(x).permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, z.shape[-1])
        w = self.table.weight
        distance = (flat ** 2).sum(1, keepdim=True) + (w ** 2).sum(1) - 2 * torch.matmul(flat, w.t())
        index = torch.argmin(distance, dim=1)
        q = self.table(index).view(z.shape)
        loss = F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())
        q = z + (q - z).detach()
        onehot = F.one_hot(index, w.shape[0]).float()
        usage = onehot.mean(0)
        perplexity = torch.exp(-torch.sum(usage * torch.log(usage + 1e-10)))
        return self.decode(q.permute(0, 3, 1, 2)), index.view(z.shape[:-1]), loss, perplexity
