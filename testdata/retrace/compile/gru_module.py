"""a GRU module"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4, batch_first=True)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        y, h = self.rnn(x * 2)
        return self.fc(y[:, -1])

net = torch.compile(Net(), backend="eager")
net(torch.ones(2, 3, 4))
net(torch.ones(2, 3, 4))
net(torch.ones(2, 5, 4))
