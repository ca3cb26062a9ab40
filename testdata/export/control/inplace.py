# Writes through views: what is written is seen by all tensors that share the memory.
import torch
from torch import nn


def through_select(x):
    x = x * 1
    y = x[0]
    y.add_(1)
    return x, y


def through_slice(x):
    x = x * 2
    y = x[:, 1:]
    y.mul_(3)
    y[0] = 7
    return x, y


def seen_by_view(x):
    x = x + 1
    flat = x.view(-1)
    t = x.t()
    x.mul_(2)
    return flat, t, x


def siblings(x):
    x = x + 0
    a, b = x[:, :2], x[:, 1:]
    a.fill_(5)
    b.add_(1)
    return a, b, x


def chunks(x):
    x = x.clone()
    a, b, c = x.chunk(3, dim=1)
    b.zero_()
    c += a
    return x, torch.cat([a, b, c], dim=1)


def rows(x):
    x = x.clone()
    first, second = x.t()[:2].unbind(0)
    first.mul_(second)
    return x


def transposed(x):
    x = x.clone()
    y = x.t().unsqueeze(0)
    y[0, 1] = 4
    y.clamp_(max=3)
    return x, y


def data(x):
    w = x * 1
    w.data.mul_(2)
    w.detach()[0] = 0
    return w


def relu(x):
    h = x - 0.3
    y = torch.relu_(h.view(-1))
    return h * 2, y


def out(x):
    buf = torch.zeros_like(x)
    torch.add(x, 1, out=buf[:])
    return buf


def written_in_branch(x):
    x = x.clone()
    y = x[0]
    if x.sum() > 0:
        y.mul_(2)
    else:
        x.neg_()
    return x, y


def written_in_loop(x):
    x = x.clone()
    for i in range(x.shape[0]):
        x[i].add_(i)
    return x


def one_of_two(x):
    a, b = x * 1, x * 2
    y = a if x.sum() > 0 else b
    y.add_(1)
    return a, b


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(2, 3))
        self.register_buffer("steps", torch.tensor(3.0))

    def forward(self, x):
        head = self.cache[0]
        head.copy_(x[0])
        self.steps += 1
        return self.cache * self.steps, head


class Setup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.arange(3.0) * 2 + 1
        self.register_buffer("scale", torch.full((3,), 0.5), persistent=False)
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)
        self.b.weight = self.a.weight

    def forward(self, x):
        y = self.b(self.a(x)) * self.scale
        return {"y": y + self.table, "n": x.shape[0], "parts": (y.sum(), [y * 2])}
