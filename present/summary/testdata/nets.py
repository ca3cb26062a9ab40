"""Small networks whose cost torchinfo's own tests publish."""
import torch
import torch.nn.functional as F
from torch import nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 10, 5)
        self.conv2 = nn.Conv2d(10, 20, 5)
        self.drop = nn.Dropout2d(0.3)
        self.fc1 = nn.Linear(320, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.drop(self.conv2(x)), 2))
        x = x.view(x.size(0), -1)
        return F.log_softmax(self.fc2(F.relu(self.fc1(x))), 1)


class Language(nn.Module):
    def __init__(self, vocab=20, width=300, hidden=512):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.encoder = nn.LSTM(width, hidden, 2, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab)

    def forward(self, x):
        out, state = self.encoder(self.embedding(x))
        return self.decoder(out), state


class Corners(nn.Module):
    """Everything that needs care: containers, shared and frozen parameters, modules called again or never."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 8)])
        self.head = nn.Linear(8, 4, bias=False)
        self.tied = nn.Linear(8, 4, bias=False)
        self.tied.weight = self.head.weight
        self.unused = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.ones(8))
        self.register_buffer("mean", torch.zeros(8))
        self.blocks[0].requires_grad_(False)
        self.blocks[1].bias.requires_grad = False

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        x = self.blocks[1](x) * self.scale
        return self.head(x) + self.tied(x)


class Chain(nn.Module):
    """Its peak can be counted by hand."""

    def forward(self, x):
        y = torch.relu(x)  # x, y
        z = y.view(-1)  # a view
        w = torch.cat([z, z])  # x, y, w: the peak
        w += 1  # in place
        return w[:2].clone()  # x, w, the result
