import re, json, sys
from collections import Counter
import pandas as pd
import torch, torch.nn as nn, torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, DataLoader
from sklearn.metrics import f1_score

PAD, UNK = 0, 1
df = pd.read_csv(sys.argv[1] if len(sys.argv) > 1 else "reviews.csv").dropna()
tokenize = lambda s: re.findall(r"[a-z']+", s.lower())
freq = Counter(t for s in df["text"] for t in tokenize(s))
vocab = {"<pad>": PAD, "<unk>": UNK}
for w, n in freq.most_common(20000):
    if n >= 2:
        vocab[w] = len(vocab)
with open("vocab.json", "w") as f:
    json.dump(vocab, f)


class Reviews(Dataset):
    def __init__(self, frame):
        self.x = [torch.tensor([vocab.get(t, UNK) for t in tokenize(s)][:200] or [UNK]) for s in frame["text"]]
        self.y = frame["label"].tolist()

    def __len__(self): return len(self.y)

    def __getitem__(self, i): return self.x[i], self.y[i]


def collate(batch):
    xs, ys = zip(*batch)
    lens = torch.tensor([len(x) for x in xs])
    return pad_sequence(xs, batch_first=True, padding_value=PAD), lens, torch.tensor(ys)


class TextCNN(nn.Module):
    def __init__(self, n_vocab, dim=64, widths=(2, 3, 4), n_filters=32, n_class=3):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, dim, padding_idx=PAD)
        self.convs = nn.ModuleList([nn.Conv1d(dim, n_filters, w, padding=w - 1) for w in widths])
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(n_filters * len(widths), n_class)

    def forward(self, ids):
        e = self.emb(ids).permute(0, 2, 1)
        pooled = [F.relu(c(e)).max(dim=2).values for c in self.convs]
        return self.fc(self.drop(torch.cat(pooled, 1)))


train = df.sample(frac=0.8, random_state=0)
test = df.drop(train.index)
train_dl = DataLoader(Reviews(train), batch_size=32, shuffle=True, collate_fn=collate)
test_dl = DataLoader(Reviews(test), batch_size=64, collate_fn=collate)
net = TextCNN(len(vocab))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    net.train()
    for ids, lens, y in train_dl:
        loss = F.cross_entropy(net(ids), y)
        opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    gold, pred = [], []
    with torch.no_grad():
        for ids, lens, y in test_dl:
            pred += net(ids).argmax(-1).tolist()
            gold.extend(y.tolist())
    print(epoch, round(f1_score(gold, pred, average="macro"), 3))
