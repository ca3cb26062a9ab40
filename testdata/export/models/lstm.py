# Language models over nn.LSTM.
from typing import Tuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class WordModel(nn.Module):
    def __init__(self, vocab=50, width=24, hidden=24, layers=2, tied=True, dropout=0.2):
        super().__init__()
        self.vocab = vocab
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(vocab, width)
        self.rnn = nn.LSTM(width, hidden, layers, dropout=dropout)
        self.decoder = nn.Linear(hidden, vocab)
        if tied:
            if hidden != width:
                raise ValueError("tied weights need equal widths")
            self.decoder.weight = self.encoder.weight

    def forward(self, tokens, hidden):
        emb = self.drop(self.encoder(tokens))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.vocab)
        return nn.functional.log_softmax(decoded, dim=1), hidden


class Tagger(nn.Module):
    """Bidirectional, its own start state, and a result per token."""

    def __init__(self, vocab=50, width=16, hidden=12, layers=2, tags=7):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        self.lstm = nn.LSTM(width, hidden, num_layers=layers, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def initial(self, batch: int) -> Tuple[Tensor, Tensor]:
        shape = (2 * self.layers, batch, self.hidden)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, tokens):
        x, (h, c) = self.lstm(self.embed(tokens), self.initial(tokens.size(0)))
        last = torch.cat([h[-2], h[-1]], dim=1)
        return {"tags": self.out(x), "best": self.out(x).argmax(-1), "sentence": torch.tanh(last)}


class Packed(nn.Module):
    """Sequences of different length."""

    def __init__(self, width=6, hidden=8, **options):
        super().__init__()
        self.rnn = nn.LSTM(width, hidden, batch_first=True, **options)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, (h, c) = self.rnn(packed)
        padded, sizes = pad_packed_sequence(out, batch_first=True, total_length=x.size(1))
        return padded, h, c


class ByHand(nn.Module):
    """Cells in a Python loop over time."""

    def __init__(self, width=5, hidden=6):
        super().__init__()
        self.cell = nn.LSTMCell(width, hidden)
        self.hidden = hidden

    def forward(self, x):
        h = x.new_zeros(x.size(0), self.hidden)
        c = torch.zeros_like(h)
        outs = []
        for t in range(x.size(1)):
            h, c = self.cell(x[:, t], (h, c))
            outs.append(h)
        return torch.stack(outs, dim=1), (h, c)
