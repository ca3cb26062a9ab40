"""Mel filter bank by hand, SpecAugment, a small CNN with attentive statistics pooling (speaker recognition)."""
import math

import numpy as np
import torch
import webrtcvad
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

SR, N_FFT, N_MELS = 16000, 400, 40


def mel_filters(sr, n_fft, n_mels):
    hz2mel = lambda f: 2595.0 * np.log10(1.0 + f / 700.0)
    mel2hz = lambda m: 700.0 * (10.0 ** (m / 2595.0) - 1.0)
    pts = mel2hz(np.linspace(hz2mel(0.0), hz2mel(sr / 2), n_mels + 2))
    freqs = np.linspace(0, sr / 2, n_fft // 2 + 1)
    up = (freqs[None, :] - pts[:-2, None]) / (pts[1:-1] - pts[:-2])[:, None]
    down = (pts[2:, None] - freqs[None, :]) / (pts[2:] - pts[1:-1])[:, None]
    return np.maximum(0, np.minimum(up, down)).astype(np.float32)


class Utterances(IterableDataset):
    def __iter__(self):
        for i in range(32):
            speaker = i % 8
            t = torch.arange(SR) / SR
            yield torch.sin(2 * math.pi * (100 + 20 * speaker) * t) + 0.1 * torch.randn(SR), speaker


class Fbank(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("fb", torch.from_numpy(mel_filters(SR, N_FFT, N_MELS)))
        self.register_buffer("win", torch.hamming_window(N_FFT), persistent=False)

    @torch.no_grad()
    def forward(self, wav):
        wav = torch.cat([wav[:, :1], wav[:, 1:] - 0.97 * wav[:, :-1]], dim=1)
        power = torch.stft(wav, N_FFT, 160, window=self.win, return_complex=True).abs() ** 2
        mel = (self.fb @ power).clamp(min=1e-6).log()
        mel = mel - mel.mean(dim=-1, keepdim=True)
        if self.training:
            f0 = int(torch.randint(0, N_MELS - 8, (1,)))
            mel[:, f0:f0 + 8] = 0
        return mel


class ASP(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.att = nn.Sequential(nn.Conv1d(c, 32, 1), nn.Tanh(), nn.Conv1d(32, c, 1))

    def forward(self, x):
        w = self.att(x).softmax(-1)
        mu = (x * w).sum(-1)
        var = ((x ** 2) * w).sum(-1) - mu ** 2
        return torch.cat([mu, var.clamp(min=1e-4).sqrt()], 1)


class AAMSoftmax(nn.Module):
    def __init__(self, dim, n, m=0.2, s=30.0):
        super().__init__()
        self.w, self.m, self.s = nn.Parameter(torch.randn(n, dim)), m, s

    def forward(self, x, y):
        cos = F.linear(F.normalize(x), F.normalize(self.w)).clamp(-1 + 1e-6, 1 - 1e-6)
        phi = torch.cos(torch.acos(cos) + self.m)
        hot = F.one_hot(y, cos.size(1)).bool()
        return F.cross_entropy(self.s * torch.where(hot, phi, cos), y)


fbank = Fbank()
net = nn.Sequential(nn.Conv1d(N_MELS, 64, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(64), nn.Conv1d(64, 64, 3, dilation=2), nn.ReLU(), ASP(64), nn.Linear(128, 48))
head = AAMSoftmax(48, 8)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=1e-3)
for wav, spk in DataLoader(Utterances(), batch_size=8):
    emb = net(fbank(wav))
    loss = head(emb, spk)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.3f}")
a, b = F.normalize(emb.detach()).split(4)
print((a @ b.T).diagonal())
