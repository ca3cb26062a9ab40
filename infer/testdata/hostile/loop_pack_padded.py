import torch
from torch.nn.utils.rnn import pack_padded_sequence
x = pack_padded_sequence(torch.zeros(2, 3, 4), torch.tensor([10**9, 10**9]), batch_first=True, enforce_sorted=False)
y = pack_padded_sequence(torch.zeros(10**9, 3, 4), [10**9, 5, 3])
