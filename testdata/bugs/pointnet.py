import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, POINTS, K = 10, 256, 8


def neighbours(xyz, k):
    inner = -2 * xyz @ xyz.transpose(1, 2)
    square = (xyz ** 2).sum(dim=2, keepdim=True)
    distance = square + inner + square.transpose(1, 2)
    return distance.topk(k, dim=2, largest=False).indices


def edges(x, idx):
    b, n, c = x.shape
    k = idx.shape[2]
    base = torch.arange(b).view(b, 1, 1) * n
    flat = (idx + base).reshape(-1)
    near = x.reshape(b * n, c)[flat].view(b, n, k, c)
    centre = x.unsqueeze(2).expand(-1, -1, k, -1)
    return torch.cat([near - centre, centre], dim=3).permute(0, 3, 1, 2)


class EdgeConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(2 * cin, cout, 1, bias=False), nn.BatchNorm2d(cout), nn.LeakyReLU(0.2))

    def forward(self, x):
        e = edges(x, neighbours(x, K))
        return self.conv(e).max(dim=3).values.transpose(1, 2)


class DGCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.e1, self.e2 = EdgeConv(3, 32), EdgeConv(32, 64)
        self.fuse = nn.Conv1d(96, 128, 1)
        self.head = nn.Sequential(nn.Linear(256, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, CLASSES))

    def forward(self, xyz):
        a = self.e1(xyz)
        b = self.e2(a)
        x = self.fuse(torch.cat([a, b], dim=2).transpose(1, 2))
        x = torch.cat([x.max(dim=2).values, x.mean(dim=2)], dim=1)
        return self.head(x)


model = DGCNN()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
weights = torch.ones(CLASSES)
for step in range(5):
    xyz = torch.randn(12, POINTS, 3)
    xyz = xyz - xyz.mean(dim=1, keepdim=True)
    xyz = xyz / xyz.norm(dim=2).max(dim=1).values.view(-1, 1, 1)
    label = torch.randint(0, CLASSES, (12,))
    logits = model(xyz)
    loss = F.cross_entropy(logits, label, weight=weights, label_smoothing=0.2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    confusion = torch.zeros(CLASSES, CLASSES, dtype=torch.long)
    confusion.index_put_((label, logits.argmax(dim=1)), torch.ones(12, dtype=torch.long), accumulate=True)
    recall = confusion.diag() / confusion.sum(dim=1).clamp(min=1)
