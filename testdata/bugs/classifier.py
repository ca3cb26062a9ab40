"""Training and evaluating a small image classifier on tensors in memory."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, classes: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.norm = nn.BatchNorm2d(32)
        self.fc = nn.Linear(32 * 8 * 8, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.conv2(x))), 2)
        x = x.flatten(1)
        return self.fc(x)


images = torch.randn(50, 3, 32, 32)
labels = torch.randint(0, 10, (50,))
loader = DataLoader(TensorDataset(images, labels), batch_size=16, shuffle=True)
model = Net(10)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in loader:
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
right = 0
with torch.no_grad():
    for x, y in loader:
        prediction = model(x).argmax(dim=1)
        right += (prediction == y).sum().item()
print(right / 50)
