"""A regression of one number from tabular features."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

features = torch.randn(60, 12)
prices = torch.rand(60)
features = (features - features.mean(dim=0)) / features.std(dim=0)
loader = DataLoader(TensorDataset(features, prices), batch_size=20)
hidden = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
head = nn.Linear(64, 1)
optimizer = torch.optim.SGD(list(hidden.parameters()) + list(head.parameters()), lr=0.01)
criterion = nn.MSELoss()
for epoch in range(2):
    total = 0.0
    for x, price in loader:
        out = head(hidden(x))
        predicted = out.squeeze(1)
        error = criterion(predicted, price)
        relative = ((predicted - price) / (price + 1.0)).abs().mean()
        loss = error + 0.1 * relative
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total)
