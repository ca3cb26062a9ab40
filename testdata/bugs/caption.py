import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence
from torch.utils.data import Dataset, DataLoader

VOCAB, HIDDEN, FEATURES = 1200, 128, 64


class Captions(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, i):
        image = torch.rand(3, 64, 64)
        words = torch.randint(3, VOCAB, (5 + i % 7,))
        return image, words


def collate(samples):
    images = torch.stack([s[0] for s in samples])
    lengths = torch.tensor([len(s[1]) for s in samples])
    words = pad_sequence([s[1] for s in samples], batch_first=True)
    return images, words, lengths


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(32, FEATURES, 3, stride=2, padding=1)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        return x.flatten(2).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.key = nn.Linear(FEATURES, HIDDEN)
        self.query = nn.Linear(HIDDEN, HIDDEN)
        self.energy = nn.Linear(HIDDEN, 1)

    def forward(self, places, h):
        e = self.energy(torch.tanh(self.key(places) + self.query(h).unsqueeze(1))).squeeze(2)
        alpha = F.softmax(e, dim=1)
        return (alpha.unsqueeze(2) * places).sum(dim=1), alpha


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, HIDDEN)
        self.attend = Attention()
        self.cell = nn.LSTMCell(HIDDEN + FEATURES, HIDDEN)
        self.start = nn.Linear(FEATURES, HIDDEN)
        self.out = nn.Linear(HIDDEN, VOCAB)

    def forward(self, places, words):
        b, t = words.shape
        h = torch.tanh(self.start(places.mean(dim=1)))
        c = torch.zeros_like(h)
        logits = []
        for i in range(t - 1):
            context, alpha = self.attend(places, h)
            h, c = self.cell(torch.cat([self.embed(words[:, i]), context], dim=1), (h, c))
            logits.append(self.out(h))
        return torch.stack(logits, dim=1)


encoder, decoder = Encoder(), Decoder()
optimizer = torch.optim.AdamW(list(encoder.parameters()) + list(decoder.parameters()), lr=1e-3)
loader = DataLoader(Captions(), batch_size=8, collate_fn=collate)
for images, words, lengths in loader:
    logits = decoder(encoder(images), words)
    loss = F.cross_entropy(logits.reshape(-1, VOCAB), words[:, 1:].reshape(-1), ignore_index=0)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(decoder.parameters(), 5.0)
    optimizer.step()
    with torch.no_grad():
        guess = logits.argmax(dim=2)
        right = (guess == words[:, 1:]) & (words[:, 1:] != 0)
        accuracy = right.sum() / (words[:, 1:] != 0).sum()
    print(loss.item(), accuracy.item())
