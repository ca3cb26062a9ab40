import glob
import os

import librosa
import numpy as np
import soundfile as sf
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SR, N_FFT, HOP, LEN = 16000, 512, 128, 16384


def load(path):
    if os.path.exists(path):
        wav, sr = sf.read(path, dtype="float32")
        if wav.ndim > 1:
            wav = wav.mean(axis=1)
        if sr != SR:
            wav = librosa.resample(wav, orig_sr=sr, target_sr=SR)
    else:
        wav = np.sin(2 * np.pi * 440 * np.arange(LEN) / SR).astype(np.float32)
    buf = np.zeros(LEN, dtype=np.float32)
    buf[:len(wav)] = wav[:LEN]
    return buf


class Noisy(Dataset):
    def __init__(self, root, n=16):
        self.files = sorted(glob.glob(os.path.join(root, "*.wav"))) or ["none.wav"] * n

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        clean = torch.from_numpy(load(self.files[i]))
        noise = torch.randn(LEN) * 0.05
        return clean + noise, clean


class MaskNet(nn.Module):
    def __init__(self, bins=N_FFT // 2 + 1, hidden=128):
        super().__init__()
        self.register_buffer("window", torch.hann_window(N_FFT))
        self.norm = nn.InstanceNorm1d(bins)
        self.rnn = nn.GRU(bins, hidden, 2, batch_first=True)
        self.mask = nn.Sequential(nn.Linear(hidden, bins), nn.Sigmoid())

    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.window, return_complex=True)
        mag = spec.abs().clamp_min(1e-8)
        feats = self.norm(torch.log(mag)).transpose(1, 2)
        h, _ = self.rnn(feats)
        m = self.mask(h).transpose(1, 2)
        out = torch.istft(spec * m, N_FFT, HOP, window=self.window, length=wav.shape[-1])
        return out, m


def si_sdr(est, ref, eps=1e-8):
    est, ref = est - est.mean(-1, keepdim=True), ref - ref.mean(-1, keepdim=True)
    scale = (est * ref).sum(-1, keepdim=True) / (ref.pow(2).sum(-1, keepdim=True) + eps)
    target = scale * ref
    return 10 * torch.log10(target.pow(2).sum(-1) / ((est - target).pow(2).sum(-1) + eps) + eps)


if __name__ == "__main__":
    loader = DataLoader(Noisy("wavs"), batch_size=4, shuffle=True, drop_last=True)
    net = MaskNet()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for step, (noisy, clean) in enumerate(loader):
        est, mask = net(noisy)
        loss = -si_sdr(est, clean).mean() + 0.1 * (est - clean).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, round(loss.item(), 3), tuple(mask.shape))
    sf.write("denoised.wav", est[0].detach().cpu().numpy(), SR)
