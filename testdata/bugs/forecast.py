import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader

WINDOW, HORIZON, SERIES = 48, 12, 7
values = np.random.randn(2000, SERIES).astype(np.float32)
mean, std = values.mean(axis=0), values.std(axis=0)
values = (values - mean) / std
inputs = np.stack([values[i:i + WINDOW] for i in range(0, 1500, 10)])
outputs = np.stack([values[i + WINDOW:i + WINDOW + HORIZON] for i in range(0, 1500, 10)])
loader = DataLoader(TensorDataset(torch.from_numpy(inputs), torch.from_numpy(outputs)), batch_size=32, shuffle=True, drop_last=True)


class Mixer(nn.Module):
    def __init__(self, window, horizon, series, hidden=64):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(window, hidden), nn.ReLU(), nn.Linear(hidden, window))
        self.features = nn.Sequential(nn.Linear(series, hidden), nn.ReLU(), nn.Linear(hidden, series))
        self.norm = nn.LayerNorm(series)
        self.project = nn.Linear(window, horizon)
        self.gru = nn.GRU(series, hidden, batch_first=True)
        self.residual = nn.Linear(hidden, horizon * series)

    def forward(self, x):
        b, w, s = x.shape
        x = x + self.time(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.features(self.norm(x))
        out, last = self.gru(x)
        residual = self.residual(last[-1]).view(b, HORIZON, s)
        return self.project(x.transpose(1, 2)).transpose(1, 2) + residual


class Quantile(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, predicted, target):
        error = target.unsqueeze(-1) - predicted
        return torch.maximum(self.q * error, (self.q - 1) * error).mean()


model = Mixer(WINDOW, HORIZON, SERIES)
spread = nn.Linear(1, 3)
criterion = Quantile([0.1, 0.5, 0.9])
optimizer = torch.optim.Adam([*model.parameters(), *spread.parameters()], lr=1e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=20)
for epoch in range(2):
    for x, y in loader:
        predicted = model(x)
        loss = criterion(spread(predicted.unsqueeze(-1)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        mae = (model(x) - y).abs().mean(dim=(0, 2))
        scale = torch.from_numpy(std)
        real = model(x) * scale + torch.from_numpy(mean)
        mase = (mae / y.diff(dim=1).abs().mean()).tolist()
