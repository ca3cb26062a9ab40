"""embedding_bag of rows."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.EmbeddingBag(10, 6)

    def forward(self, x):
        return self.e(x)

net = Net().eval()
ep = torch.export.export(net, (torch.zeros(4, 3, dtype=torch.int64),), dynamic_shapes={"x": {0: Dim("B"), 1: Dim("S")}})
m = ep.module()
m(torch.zeros(5, 2, dtype=torch.int64))
