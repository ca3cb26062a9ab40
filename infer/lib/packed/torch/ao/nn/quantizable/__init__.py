# This file is torch.ao.nn.quantizable.
from ....nn.modules.attention import MultiheadAttention
from ....nn.modules.rnn import LSTM
