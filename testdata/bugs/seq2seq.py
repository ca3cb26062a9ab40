import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SRC, TRG, EMB, HID, PAD = 300, 400, 48, 64, 0


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(SRC, EMB, padding_idx=PAD)
        self.rnn = nn.GRU(EMB, HID, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * HID, HID)

    def forward(self, src, lengths):
        x = self.embed(src)
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=src.size(1))
        h = torch.tanh(self.fc(torch.cat([h[-2], h[-1]], dim=1)))
        return out, h


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.energy = nn.Linear(3 * HID, HID)
        self.v = nn.Linear(HID, 1, bias=False)

    def forward(self, h, outputs, mask):
        steps = outputs.size(1)
        h = h.unsqueeze(1).expand(-1, steps, -1)
        e = torch.tanh(self.energy(torch.cat([h, outputs], dim=2)))
        scores = self.v(e).squeeze(2)
        scores = scores.masked_fill(~mask, -1e9)
        return F.softmax(scores, dim=1)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(TRG, EMB)
        self.attention = Attention()
        self.cell = nn.GRUCell(EMB + 2 * HID, HID)
        self.out = nn.Linear(HID + 2 * HID + EMB, TRG)

    def forward(self, token, h, outputs, mask):
        x = self.embed(token)
        a = self.attention(h, outputs, mask)
        context = torch.bmm(a.unsqueeze(1), outputs).squeeze(1)
        h = self.cell(torch.cat([x, context], dim=1), h)
        logits = self.out(torch.cat([h, context, x], dim=1))
        return logits, h


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = Decoder()

    def forward(self, src, lengths, trg):
        outputs, h = self.encoder(src, lengths)
        mask = src != PAD
        token = trg[:, 0]
        steps = []
        for t in range(1, trg.size(1)):
            logits, h = self.decoder(token, h, outputs, mask)
            steps.append(logits)
            token = trg[:, t] if random.random() < 0.5 else logits.argmax(dim=1)
        return torch.stack(steps, dim=1)


model = Seq2Seq()
optimizer = torch.optim.Adam(model.parameters())
for step in range(5):
    src = torch.randint(1, SRC, (12, 9))
    lengths = torch.randint(3, 10, (12,))
    trg = torch.randint(1, TRG, (12, 7))
    logits = model(src, lengths, trg)
    loss = F.cross_entropy(logits.reshape(-1, TRG), trg[:, 1:].reshape(-1), ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    accuracy = (logits.argmax(dim=-1) == trg[:, 1:]).float().mean().item()
    print(step, loss.item(), accuracy)
