import torch
import torch.nn as nn
from seqeval.metrics import f1_score
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


class CRF(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.start, self.end = nn.Parameter(torch.zeros(n)), nn.Parameter(torch.zeros(n))
        self.trans = nn.Parameter(torch.empty(n, n).uniform_(-0.1, 0.1))

    def score(self, em, tags, mask):
        b = torch.arange(em.size(1))
        s = self.start[tags[0]] + em[0, b, tags[0]]
        for t in range(1, em.size(0)):
            s = s + (self.trans[tags[t - 1], tags[t]] + em[t, b, tags[t]]) * mask[t]
        last = mask.long().sum(0) - 1
        return s + self.end[tags[last, b]]

    def partition(self, em, mask):
        a = self.start + em[0]
        for t in range(1, em.size(0)):
            nxt = torch.logsumexp(a.unsqueeze(2) + self.trans + em[t].unsqueeze(1), dim=1)
            a = torch.where(mask[t].unsqueeze(1), nxt, a)
        return torch.logsumexp(a + self.end, dim=1)

    def forward(self, em, tags, mask):
        return (self.partition(em, mask) - self.score(em, tags, mask.float())).mean()

    def decode(self, em):
        s, back = self.start + em[0], []
        for t in range(1, em.size(0)):
            s, idx = (s.unsqueeze(2) + self.trans + em[t].unsqueeze(1)).max(dim=1)
            back.append(idx)
        best = [(s + self.end).argmax(1)]
        for idx in reversed(back):
            best.append(idx.gather(1, best[-1].unsqueeze(1)).squeeze(1))
        return torch.stack(best[::-1])


class Tagger(nn.Module):
    def __init__(self, vocab, emb=32, hid=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.lstm = nn.LSTM(emb, hid, bidirectional=True)
        self.fc = nn.Linear(2 * hid, len(TAGS))

    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens.cpu(), enforce_sorted=False)
        out, _ = pad_packed_sequence(self.lstm(packed)[0])
        return self.fc(out)


sents = ["john lives in new york", "mary went to paris", "london is big"]
vocab = {w: i + 1 for i, w in enumerate(sorted({w for s in sents for w in s.split()}))}
gold = [[1, 0, 0, 3, 4], [1, 0, 0, 3], [3, 0, 0]]
x = pad_sequence([torch.tensor([vocab[w] for w in s.split()]) for s in sents])
y = pad_sequence([torch.tensor(g) for g in gold])
lens = torch.tensor([len(g) for g in gold])
mask = x != 0
model, crf = Tagger(len(vocab) + 1), CRF(len(TAGS))
opt = torch.optim.Adam(list(model.parameters()) + list(crf.parameters()), lr=0.05)
for step in range(5):
    loss = crf(model(x, lens), y, mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    path = crf.decode(model(x, lens)).t()
names = [[TAGS[i] for i in row[:n].tolist()] for row, n in zip(path, lens)]
print(loss.item(), names, f1_score([[TAGS[i] for i in g] for g in gold], names))
