import random
import time

import sacrebleu
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

PAD, BOS, EOS, V = 0, 1, 2, 40


def batch(n=16):
    src = [torch.randint(3, V, (random.randint(3, 10),)) for _ in range(n)]
    src.sort(key=len, reverse=True)
    lens = torch.tensor([len(s) for s in src])
    tgt = [torch.cat([torch.tensor([BOS]), s.flip(0), torch.tensor([EOS])]) for s in src]
    return pad_sequence(src, batch_first=True), lens, pad_sequence(tgt, batch_first=True, padding_value=PAD)


class Encoder(nn.Module):
    def __init__(self, emb=32, hid=48):
        super().__init__()
        self.emb = nn.Embedding(V, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hid, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hid, hid)

    def forward(self, src, lens):
        packed = pack_padded_sequence(self.emb(src), lens, batch_first=True)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out, torch.tanh(self.fc(torch.cat((h[-2], h[-1]), dim=1)))


class Decoder(nn.Module):
    def __init__(self, emb=32, hid=48):
        super().__init__()
        self.emb = nn.Embedding(V, emb, padding_idx=PAD)
        self.wq, self.wk, self.v = nn.Linear(hid, hid), nn.Linear(2 * hid, hid), nn.Linear(hid, 1, bias=False)
        self.cell = nn.GRUCell(emb + 2 * hid, hid)
        self.out = nn.Linear(3 * hid, V)

    def forward(self, token, h, enc, mask):
        score = self.v(torch.tanh(self.wq(h).unsqueeze(1) + self.wk(enc))).squeeze(2)
        attn = score.masked_fill(~mask, -1e9).softmax(1)
        ctx = torch.bmm(attn.unsqueeze(1), enc).squeeze(1)
        h = self.cell(torch.cat([self.emb(token), ctx], -1), h)
        return self.out(torch.cat([h, ctx], -1)), h, attn


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()

    def forward(self, src, lens, tgt, teacher_forcing=0.5):
        enc, h = self.encoder(src, lens)
        mask, token, outputs = src != PAD, tgt[:, 0], []
        for t in range(1, tgt.size(1)):
            logits, h, _ = self.decoder(token, h, enc, mask)
            outputs.append(logits)
            token = tgt[:, t] if random.random() < teacher_forcing else logits.argmax(1)
        return torch.stack(outputs, dim=1)


model = Seq2Seq()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
start = time.perf_counter()
for step in range(3):
    src, lens, tgt = batch()
    logits = model(src, lens, tgt)
    loss = F.cross_entropy(logits.reshape(-1, V), tgt[:, 1:].reshape(-1), ignore_index=PAD)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    opt.step()
    print(f"{step} loss {loss:.3f} {time.perf_counter() - start:.1f}s")
hyps = [" ".join(map(str, row.tolist())) for row in logits.argmax(-1)]
refs = [" ".join(map(str, row.tolist())) for row in tgt[:, 1:]]
print(sacrebleu.corpus_bleu(hyps, [refs]).score)
