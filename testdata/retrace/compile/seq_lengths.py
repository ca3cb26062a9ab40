"""sequences of several lengths"""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)

    def forward(self, ids, mask=None):
        x = self.emb(ids)
        if mask is not None:
            x = x * mask[..., None]
        return self.out(x)

net = torch.compile(Net())
for n in [5, 7, 9]:
    net(torch.zeros(2, n, dtype=torch.long))
net(torch.zeros(2, 9, dtype=torch.long), torch.ones(2, 9))
net(torch.zeros(3, 9, dtype=torch.long), torch.ones(3, 9))
net(torch.zeros(1, 9, dtype=torch.long))
