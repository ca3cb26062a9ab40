import random
import string

import editdistance
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

VOCAB = ["<blank>", " ", "'"] + list(string.ascii_lowercase)
stoi = {c: i for i, c in enumerate(VOCAB)}


class Speech(Dataset):
    def __init__(self, n=32):
        self.texts = ["".join(random.choice("abcdefg ") for _ in range(random.randint(4, 9))) for _ in range(n)]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        text = self.texts[i]
        spec = torch.randn(60 + 12 * len(text), 80)
        return spec, torch.tensor([stoi[c] for c in text])


def collate(batch):
    specs, targets = zip(*batch)
    spec_len = torch.tensor([s.shape[0] for s in specs])
    target_len = torch.tensor([len(t) for t in targets])
    return pad_sequence(specs, batch_first=True), pad_sequence(targets, batch_first=True), spec_len, target_len


class DeepSpeech(nn.Module):
    def __init__(self, n_mels=80, hidden=128, classes=len(VOCAB)):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.GELU(), nn.Conv2d(16, 16, 3, stride=(1, 2), padding=1), nn.GELU())
        self.rnn = nn.GRU(16 * (n_mels // 4), hidden, num_layers=2, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hidden, classes)

    def forward(self, x):
        x = self.conv(x.unsqueeze(1))
        b, c, t, f = x.shape
        x = x.permute(0, 2, 1, 3).reshape(b, t, c * f)
        x, _ = self.rnn(x)
        return self.fc(x).log_softmax(dim=-1)


def greedy(logp, lengths):
    texts = []
    for row, n in zip(logp.argmax(-1), lengths):
        ids = torch.unique_consecutive(row[:n])
        texts.append("".join(VOCAB[i] for i in ids.tolist() if i != 0))
    return texts


loader = DataLoader(Speech(), batch_size=8, shuffle=True, collate_fn=collate)
model = DeepSpeech()
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for epoch in range(1):
    for specs, targets, spec_len, target_len in loader:
        logp = model(specs)
        out_len = (spec_len + 1) // 2
        loss = ctc(logp.transpose(0, 1), targets, out_len, target_len)
        opt.zero_grad()
        loss.backward()
        opt.step()
    hyp = greedy(logp.detach(), out_len)
    ref = ["".join(VOCAB[i] for i in t[:n]) for t, n in zip(targets, target_len)]
    cer = sum(editdistance.eval(h, r) for h, r in zip(hyp, ref)) / max(1, sum(map(len, ref)))
    print(epoch, loss.item(), cer)
