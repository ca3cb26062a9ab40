# Packed sequences: through recurrent networks, and layers on the packed steps between them.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, PackedSequence, pad_sequence


class Net(nn.Module):
    def __init__(self, kind=nn.LSTM, sort=False, first=True, total=None, **options):
        super().__init__()
        self.rnn = kind(6, 8, batch_first=first, **options)
        self.sort, self.first, self.total = sort, first, total

    def forward(self, x, lengths):
        if not self.first:
            x = x.transpose(0, 1)
        packed = pack_padded_sequence(x, lengths, batch_first=self.first, enforce_sorted=self.sort)
        out, h = self.rnn(packed)
        padded, sizes = pad_packed_sequence(out, batch_first=self.first, padding_value=-2.0, total_length=self.total)
        return padded, sizes, h


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 8, batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        padded, sizes = pad_packed_sequence(out, batch_first=True, total_length=x.size(1))
        return padded, sizes, h


class Between(nn.Module):
    """A layer on the packed steps between two networks."""
    def __init__(self):
        super().__init__()
        self.a = nn.LSTM(6, 8)
        self.fc = nn.Linear(8, 5)
        self.b = nn.GRU(5, 4)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x.transpose(0, 1), lengths, enforce_sorted=False)
        out, _ = self.a(packed)
        out = PackedSequence(torch.relu(self.fc(out.data)), out.batch_sizes, out.sorted_indices, out.unsorted_indices)
        out, h = self.b(out)
        padded, sizes = pad_packed_sequence(out)
        return padded.max(0)[0], h, packed.data.sum()


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(6, 8, batch_first=True, num_layers=2, bidirectional=True)

    def forward(self, x, lengths):
        h = x.new_zeros(4, x.size(0), 8) + x[:, 0, :1]
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, (h, c) = self.rnn(packed, (h, h * 2))
        return pad_packed_sequence(out, batch_first=True)[0], h, c
