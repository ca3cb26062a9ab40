"""Keyword spotting on log-mel patches; waveforms from disk or synthetic."""
import math, os, random
import librosa
import numpy as np
import soundfile as sf
import torch
import torch.nn as nn
import torch.nn.functional as F

SR, N_MELS, HOP, WORDS = 16000, 40, 160, ["yes", "no", "stop", "go"]


def load(path, seconds=1.0):
    if os.path.exists(path):
        wav, sr = sf.read(path, dtype="float32", always_2d=False)
        if sr != SR:
            wav = librosa.resample(wav, orig_sr=sr, target_sr=SR)
    else:
        t = np.arange(int(SR * seconds)) / SR
        wav = np.sin(2 * np.pi * random.uniform(200, 800) * t).astype(np.float32)
    want = int(SR * seconds)
    return np.pad(wav, (0, max(0, want - len(wav))))[:want]


def hz_to_mel(f):
    return 2595 * math.log10(1 + f / 700)


def mel_bank(n_fft, n_mels):
    pts = torch.linspace(hz_to_mel(20), hz_to_mel(SR / 2), n_mels + 2)
    bins = torch.floor((n_fft + 1) * (700 * (10 ** (pts / 2595) - 1)) / SR).long()
    fb = torch.zeros(n_mels, n_fft // 2 + 1)
    freqs = torch.arange(n_fft // 2 + 1)
    for m in range(1, n_mels + 1):
        lo, mid, hi = bins[m - 1], bins[m], bins[m + 1]
        up = (freqs - lo) / (mid - lo).clamp(min=1)
        down = (hi - freqs) / (hi - mid).clamp(min=1)
        fb[m - 1] = torch.minimum(up, down).clamp(min=0)
    return fb


class LogMel(nn.Module):
    def __init__(self, n_fft=512):
        super().__init__()
        self.n_fft = n_fft
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)
        self.register_buffer("fb", mel_bank(n_fft, N_MELS), persistent=False)

    def forward(self, wav):
        spec = torch.stft(wav, self.n_fft, HOP, window=self.window, return_complex=True).abs().pow(2)
        return torch.log(self.fb @ spec + 1e-6)


class DSConv(nn.Sequential):
    def __init__(self, c, k=9):
        super().__init__(nn.Conv1d(c, c, k, padding=k // 2, groups=c), nn.Conv1d(c, c, 1), nn.BatchNorm1d(c), nn.ReLU())


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.front, self.stem = LogMel(), nn.Conv1d(N_MELS, 64, 3, padding=1)
        self.blocks = nn.ModuleList(DSConv(64) for _ in range(3))
        self.att, self.fc = nn.Linear(64, 1), nn.Linear(64, len(WORDS))

    def forward(self, wav):
        h = self.stem(self.front(wav))
        for b in self.blocks:
            h = h + b(h)
        h = h.transpose(1, 2)
        w = self.att(h).softmax(dim=1)
        return self.fc((w * h).sum(dim=1))


net = Spotter()
opt = torch.optim.RAdam(net.parameters())
for step in range(3):
    labels = [random.randrange(len(WORDS)) for _ in range(6)]
    wav = torch.from_numpy(np.stack([load(f"clips/{WORDS[k]}_{i}.wav") for i, k in enumerate(labels)]))
    wav = wav + 0.01 * torch.randn_like(wav)
    loss = F.cross_entropy(net(wav), torch.tensor(labels))
    opt.zero_grad(); loss.backward(); opt.step()
    print(step, float(loss))
torch.save({"model": net.state_dict(), "words": WORDS}, "spotter.pt")
