"""Two voices are separated: learned filters, a temporal convolution network, masks, the better of two orders."""
import torch
import torch.nn as nn

VOICES, FILTERS, KERNEL = 2, 32, 16


class TCN(nn.Module):
    def __init__(self, dilation):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(FILTERS, 2 * FILTERS, 1), nn.PReLU(), nn.GroupNorm(1, 2 * FILTERS),
                                 nn.Conv1d(2 * FILTERS, 2 * FILTERS, 3, padding=dilation, dilation=dilation, groups=2 * FILTERS),
                                 nn.PReLU(), nn.Conv1d(2 * FILTERS, FILTERS, 1))

    def forward(self, x):
        return x + self.net(x)


class Separator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Conv1d(1, FILTERS, KERNEL, stride=KERNEL // 2, bias=False)
        self.blocks = nn.Sequential(*[TCN(2 ** i) for i in range(3)])
        self.masks = nn.Conv1d(FILTERS, VOICES * FILTERS, 1)
        self.decoder = nn.ConvTranspose1d(FILTERS, 1, KERNEL, stride=KERNEL // 2, bias=False)

    def forward(self, mixture):
        w = self.encoder(mixture.unsqueeze(1)).relu()
        m = self.masks(self.blocks(w))
        b, _, t = m.shape
        m = m.view(b, VOICES, FILTERS, t).sigmoid()
        parts = (m * w.unsqueeze(1)).view(b * VOICES, FILTERS, t)
        return self.decoder(parts).view(b, VOICES, -1)


def si_snr(estimate, target):
    estimate = estimate - estimate.mean(dim=-1, keepdim=True)
    target = target - target.mean(dim=-1, keepdim=True)
    scale = (estimate * target).sum(dim=-1, keepdim=True) / (target.pow(2).sum(dim=-1, keepdim=True) + 1e-8)
    clean = scale * target
    noise = estimate - clean
    return 10 * torch.log10(clean.pow(2).sum(dim=-1) / (noise.pow(2).sum(dim=-1) + 1e-8) + 1e-8)


model = Separator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(2):
    sources = torch.randn(5, VOICES, 4000)
    mixture = sources.sum(dim=1)
    separated = model(mixture)
    straight = si_snr(separated, sources).mean(dim=1)
    swapped = si_snr(separated, sources.flip(1)).mean(dim=1)
    best = torch.maximum(straight, swapped)
    gain = best - si_snr(mixture, sources[:, 0])
    loss = -best.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), gain.mean().item())
