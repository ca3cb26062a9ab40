# This file defines packed sequences and the padding of sequences.
#
# Beside the four fields of PyTorch a packed sequence remembers its number of
# sequences, which the batch sizes hide when their contents are not known.
import torch
from collections import namedtuple

PackedSequence_ = namedtuple('PackedSequence_', ['data', 'batch_sizes', 'sorted_indices', 'unsorted_indices'])


def bind(optional, fn):
    return None if optional is None else fn(optional)


class PackedSequence(PackedSequence_):
    """Sequences of different lengths, time-major and without padding."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def _batch_size(self):
        n = getattr(self, '_count', None)
        return int(self.batch_sizes[0]) if n is None else n

    def _like(self, data):
        p = type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)
        n = getattr(self, '_count', None)
        if n is not None:
            p._count = n
        return p

    def to(self, *args, **kwargs):
        return self._like(self.data.to(*args, **kwargs))

    def cuda(self, *args, **kwargs):
        return self._like(self.data.cuda(*args, **kwargs))

    def cpu(self, *args, **kwargs):
        return self._like(self.data.cpu())

    def double(self):
        return self._like(self.data.double())

    def float(self):
        return self._like(self.data.float())

    def half(self):
        return self._like(self.data.half())

    def long(self):
        return self._like(self.data.long())

    def int(self):
        return self._like(self.data.int())

    def short(self):
        return self._like(self.data.short())

    def char(self):
        return self._like(self.data.char())

    def byte(self):
        return self._like(self.data.byte())

    def pin_memory(self):
        return self

    @property
    def is_cuda(self):
        return self.data.is_cuda


def invert_permutation(permutation):
    if permutation is None:
        return None
    return torch.argsort(permutation)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = torch._VF._pack_padded_sequence(input, lengths, batch_first)
    packed = PackedSequence(data, batch_sizes, sorted_indices, None)
    packed._count = input.size(0 if batch_first else 1)
    return packed


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    length = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < length:
            raise ValueError('Expected total_length to be at least the length of the longest sequence in input, '
                             f'but got total_length={total_length} and max sequence length being {length}')
        length = total_length
    count = getattr(sequence, '_count', None)
    output, lengths = torch._VF._pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value,
                                                     length, *([] if count is None else [count]))
    indices = sequence.unsorted_indices
    if indices is not None:
        return output.index_select(0 if batch_first else 1, indices), lengths[indices]
    return output, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side='right'):
    if not hasattr(sequences, '__iter__'):
        raise RuntimeError(f'pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}')
    if padding_side not in ('left', 'right'):
        raise RuntimeError(f'pad_sequence: padding_side must be left or right, not {padding_side}')
    return torch._C._nn.pad_sequence(tuple(sequences), batch_first, padding_value)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    idx = torch.arange(padded_sequences.shape[1])
    return [seq[idx < length] for seq, length in zip(padded_sequences, lengths)]


def pack_sequence(sequences, enforce_sorted=True):
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
