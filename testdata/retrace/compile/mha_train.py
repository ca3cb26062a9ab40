"""The mode of a layer within a layer of torch."""
import torch
from torch import nn
m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
c = torch.compile(m)
c(torch.ones(2, 3, 8))
c(torch.ones(2, 4, 8))
c(torch.ones(2, 5, 8))
m.eval()
c(torch.ones(2, 5, 8))
