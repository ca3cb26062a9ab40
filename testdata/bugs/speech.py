"""Recognition of letters in a signal: spectra, a recurrent network, attention pooling and CTC."""
import torch
import torch.nn as nn
import torch.nn.functional as F

LETTERS, BANDS, HIDDEN = 29, 40, 32


class Recogniser(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(BANDS, HIDDEN, 5, padding=2)
        self.norm = nn.LayerNorm(HIDDEN)
        self.rnn = nn.GRU(HIDDEN, HIDDEN, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * HIDDEN, 1)
        self.letters = nn.Linear(2 * HIDDEN, LETTERS)
        self.speaker = nn.Linear(2 * HIDDEN, 8)

    def forward(self, bands):
        x = self.conv(bands).transpose(1, 2)
        x = self.norm(F.relu(x))
        x, _ = self.rnn(x)
        weights = self.score(x).softmax(dim=1)
        pooled = (weights * x).sum(dim=1)
        return self.letters(x), self.speaker(pooled)


def spectra(signal):
    spectrum = torch.stft(signal, 256, hop_length=128, window=torch.hann_window(256), return_complex=True)
    power = spectrum.abs() ** 2
    bank = torch.rand(BANDS, 129)
    return torch.log(bank @ power + 1e-6)


model = Recogniser()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ctc = nn.CTCLoss(blank=0)
for step in range(2):
    signal = torch.randn(6, 8192)
    bands = spectra(signal)
    mean = bands.mean(dim=2, keepdim=True)
    bands = bands - mean
    letters, speakers = model(bands)
    logp = letters.log_softmax(dim=2).transpose(0, 1)
    targets = torch.randint(1, LETTERS, (6, 10))
    lengths = torch.full((6,), logp.size(0))
    loss = ctc(logp, targets, lengths, torch.full((6,), 10))
    who = torch.randint(0, 8, (6,))
    loss = loss + F.cross_entropy(speakers, who)
    guess = speakers.argmax(dim=1)
    hits = (guess == who).float().mean()
    energy = bands.pow(2).mean(dim=(1, 2))
    volume = signal.pow(2).mean(dim=1)
    relative = energy / volume
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), hits.item(), relative.mean().item())
