# Points, graphs, generators, mixtures of experts, and results of all kinds.
from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.convs = nn.Sequential(nn.Conv1d(k, 16, 1), nn.BatchNorm1d(16), nn.ReLU(), nn.Conv1d(16, 32, 1), nn.BatchNorm1d(32), nn.ReLU())
        self.fc = nn.Linear(32, k * k)

    def forward(self, x):
        y = torch.max(self.convs(x), 2, keepdim=True)[0].view(-1, 32)
        y = self.fc(y) + torch.eye(self.k).flatten().view(1, -1).repeat(x.size(0), 1)
        return y.view(-1, self.k, self.k)


class PointNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.tnet, self.feat = TNet(3), TNet(8)
        self.conv1, self.conv2 = nn.Conv1d(3, 8, 1), nn.Conv1d(8, 16, 1)
        self.bn = nn.BatchNorm1d(16)
        self.out = nn.Conv1d(24, classes, 1)

    def forward(self, points):
        n = points.size(2)
        t = self.tnet(points)
        x = torch.bmm(points.transpose(2, 1), t).transpose(2, 1)
        x = F.relu(self.conv1(x))
        f = self.feat(x)
        local = torch.bmm(x.transpose(2, 1), f).transpose(2, 1)
        g = torch.max(self.bn(self.conv2(local)), 2)[0]
        x = torch.cat([g.unsqueeze(2).repeat(1, 1, n), local], 1)
        return F.log_softmax(self.out(x).transpose(2, 1).contiguous(), dim=-1), {"points": t, "features": f}


class Neighbours(nn.Module):
    """Edge convolution over the k nearest points."""

    def __init__(self, k=3):
        super().__init__()
        self.k = k
        self.mlp = nn.Sequential(nn.Conv2d(6, 8, 1, bias=False), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))

    def forward(self, x):
        b, c, n = x.shape
        inner = -2 * torch.matmul(x.transpose(2, 1), x)
        xx = torch.sum(x ** 2, dim=1, keepdim=True)
        idx = (-xx - inner - xx.transpose(2, 1)).topk(k=self.k, dim=-1)[1]
        base = torch.arange(0, b).view(-1, 1, 1) * n
        flat = x.transpose(2, 1).reshape(b * n, c)
        near = flat[(idx + base).view(-1), :].view(b, n, self.k, c)
        own = x.transpose(2, 1).view(b, n, 1, c).repeat(1, 1, self.k, 1)
        edges = torch.cat((near - own, own), dim=3).permute(0, 3, 1, 2).contiguous()
        return self.mlp(edges).max(dim=-1, keepdim=False)[0]


class GraphConv(nn.Module):
    def __init__(self, cin=5, cout=4):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cin, cout))
        self.bias = nn.Parameter(torch.zeros(cout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, edges):
        n = x.shape[0]
        loops = torch.arange(n).unsqueeze(0).repeat(2, 1)
        edges = torch.cat([edges, loops], dim=1)
        row, col = edges[0], edges[1]
        degree = torch.zeros(n).scatter_add_(0, row, torch.ones(row.shape[0]))
        norm = degree.pow(-0.5)
        norm = norm[row] * norm[col]
        out = torch.zeros(n, self.weight.shape[1]).index_add_(0, col, (x @ self.weight)[row] * norm.unsqueeze(1))
        return out + self.bias


class Generator(nn.Module):
    def __init__(self, latent=8, width=4, classes=5):
        super().__init__()
        self.label = nn.Embedding(classes, latent)
        def block(cin, cout, stride, pad):
            return [nn.ConvTranspose2d(cin, cout, 4, stride, pad, bias=False), nn.BatchNorm2d(cout), nn.ReLU(True)]
        self.main = nn.Sequential(*block(2 * latent, 4 * width, 1, 0), *block(4 * width, 2 * width, 2, 1), nn.ConvTranspose2d(2 * width, 3, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, noise, label):
        z = torch.cat((noise, self.label(label)), -1)
        return self.main(z[..., None, None])


class Experts(nn.Module):
    """Every expert runs; the best two of each token count."""

    def __init__(self, width=8, experts=4, top=2):
        super().__init__()
        self.top = top
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, width)) for _ in range(experts)])

    def forward(self, x):
        logits = self.gate(x)
        weights, chosen = torch.topk(logits.softmax(-1), self.top, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        full = torch.zeros_like(logits).scatter(-1, chosen, weights)
        outs = torch.stack([e(x) for e in self.experts], dim=-1)
        return torch.einsum("btde,bte->btd", outs, full), full.mean(dim=(0, 1))


Pair = namedtuple("Pair", "left right")


@dataclass
class Result:
    logits: Tensor
    hidden: List[Tensor] = field(default_factory=list)
    extra: Optional[Dict[str, Tensor]] = None
    size: int = 0


@dataclass
class Batch:
    image: Tensor
    boxes: Tensor
    scale: float = 2.0


class Structured(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 3), nn.Linear(3, 2)

    def forward(self, batch, kind="all"):
        h = self.a(batch.image)
        y = self.b(h)
        if kind == "pair":
            return Pair(left=h, right=Pair(y, batch.boxes * batch.scale))
        if kind == "dict":
            return OrderedDict(out=y, aux={"hidden": h, "list": [y, y + 1], "0": h * 2})
        if kind == "plain":
            return [y, (h, {"x": y * 2})], h
        if kind == "same":
            return {"y": y, "again": y, "input": batch.image, "size": batch.image.shape[0], "none": None, "text": 3.5}
        return Result(y, hidden=[h, h * 2], extra={"boxes": batch.boxes}, size=batch.boxes.shape[0])
