import argparse, glob, json, logging, os
import librosa
import numpy as np
import soundfile as sf
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchaudio
import yaml
from easydict import EasyDict
from torch.utils.data import DataLoader, Dataset
from torch.utils.tensorboard import SummaryWriter

logger = logging.getLogger(__name__)


class MelDataset(Dataset):
    def __init__(self, root, sr=16000, n_fft=1024, hop=256, n_mels=80, seconds=2):
        self.files = sorted(glob.glob(os.path.join(root, "**", "*.wav"), recursive=True))
        self.sr, self.n_fft, self.hop, self.seconds = sr, n_fft, hop, seconds
        self.mel = torchaudio.transforms.MelSpectrogram(sr, n_fft=n_fft, hop_length=hop, n_mels=n_mels)
        self.basis = librosa.filters.mel(sr=sr, n_fft=n_fft, n_mels=n_mels)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        wav, sr = sf.read(self.files[i], dtype="float32")
        if wav.ndim > 1:
            wav = wav.mean(axis=1)
        if sr != self.sr:
            wav = librosa.resample(wav, orig_sr=sr, target_sr=self.sr)
        n = self.sr * self.seconds
        if len(wav) < n:
            wav = np.pad(wav, (0, n - len(wav)))
        start = np.random.randint(0, max(1, len(wav) - n))
        wav = wav[start:start + n]
        spec = np.abs(librosa.stft(wav, n_fft=self.n_fft, hop_length=self.hop))
        mel = np.log(np.clip(np.dot(self.basis, spec), 1e-5, None))
        mel = (mel - mel.mean()) / (mel.std() + 1e-8)
        label = int(os.path.basename(self.files[i]).split("_")[0])
        return torch.from_numpy(wav), torch.FloatTensor(mel), label


def collate(batch):
    wavs, mels, labels = zip(*batch)
    T = max(m.shape[-1] for m in mels)
    out = torch.zeros(len(mels), mels[0].shape[0], T)
    for k, m in enumerate(mels):
        out[k, :, : m.shape[-1]] = m
    return torch.stack(wavs), out, torch.LongTensor(labels)


class ConvNet(nn.Module):
    def __init__(self, n_mels, n_classes, channels=(32, 64, 128)):
        super().__init__()
        layers, c = [], 1
        for ch in channels:
            layers += [nn.Conv2d(c, ch, 3, padding=1), nn.BatchNorm2d(ch), nn.ReLU(), nn.MaxPool2d(2)]
            c = ch
        self.conv = nn.Sequential(*layers)
        self.gru = nn.GRU(c * (n_mels // 2 ** len(channels)), 128, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(256, n_classes)

    def forward(self, x):
        x = self.conv(x.unsqueeze(1))
        b, c, f, t = x.shape
        x = x.reshape(b, c * f, t).transpose(1, 2)
        x, _ = self.gru(x)
        return self.fc(x.mean(1))


def main(args):
    with open(args.config) as f:
        cfg = EasyDict(yaml.safe_load(f))
    device = torch.device(args.device)
    train = MelDataset(cfg.data.root, sr=cfg.data.sr, n_mels=cfg.data.n_mels)
    loader = DataLoader(train, batch_size=cfg.train.batch_size, shuffle=True, collate_fn=collate, num_workers=cfg.train.workers)
    model = ConvNet(cfg.data.n_mels, cfg.model.n_classes).to(device)
    if args.resume:
        ckpt = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(ckpt["model"])
        start = ckpt["epoch"] + 1
    else:
        start = 0
    opt = torch.optim.Adam(model.parameters(), lr=float(cfg.train.lr))
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.99)
    sw = SummaryWriter(os.path.join(args.out, "logs"))
    step = 0
    for epoch in range(start, cfg.train.epochs):
        correct = total = 0
        for wav, mel, y in loader:
            mel, y = mel.to(device, non_blocking=True), y.to(device)
            logits = model(mel)
            loss = F.cross_entropy(logits, y, label_smoothing=0.1)
            opt.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            correct += (logits.argmax(-1) == y).sum().item()
            total += y.size(0)
            if step % cfg.train.log_every == 0:
                sw.add_scalar("loss", loss.item(), step)
                logger.info("step %d loss %.3f norm %.2f", step, loss.item(), norm)
            step += 1
        sched.step()
        print(json.dumps({"epoch": epoch, "acc": correct / total}))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--config", default="config.yaml")
    p.add_argument("--device", default="cuda")
    p.add_argument("--out", default="runs")
    p.add_argument("--resume", default=None)
    main(p.parse_args())
