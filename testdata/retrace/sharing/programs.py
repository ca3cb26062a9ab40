"""Entries with symbols for shapecheck trace --for: the comment above each class has its arguments."""
import math
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn


# x:f32[B,8]
class Affine(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


# x:f32[B,8] y:f32[T,3]
class Threshold(nn.Module):
    def forward(self, x, y):
        if x.shape[0] > 4:
            x = x * 2
        return x.sum() + y


# x:f32[N,6]
class Groups(nn.Module):
    def forward(self, x):
        return x.view(-1, 4, 6).mean(1)


# x:f32[B,T]
class Three(nn.Module):
    def forward(self, x):
        if x.shape[1] < 16:
            return x + 1
        elif x.shape[1] < 64:
            return x + 2
        return x + 3


# x:f32[B,T,4]
class Steps(nn.Module):
    def forward(self, x):
        out = x[:, 0]
        for t in range(1, x.shape[1]):
            out = out * 0.5 + x[:, t]
        return out


# x:f32[B,3,H,W]
class Convs(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.b = nn.Conv2d(4, 4, 3, stride=2, padding=1)

    def forward(self, x):
        return self.b(self.a(x).relu()).mean((2, 3))


# x:f32[B,3,H,W]
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 3, 2, stride=2)
        self.up = nn.ConvTranspose2d(3, 3, 2, stride=2)

    def forward(self, x):
        return x + self.up(self.down(x))


# x:f32[B,S] y:f32[C,S]
class Pairwise(nn.Module):
    def forward(self, x, y):
        return x @ y.t()


# x:f32[B,S] y:f32[B,S]
class Same(nn.Module):
    def forward(self, x, y):
        return x * y


# x:f32[N,4] y:f32[M,4]
class Equal(nn.Module):
    def forward(self, x, y):
        return x + y


# ids:i64[B,T]
class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 16)
        self.pos = nn.Embedding(32, 16)

    def forward(self, ids):
        b, t = ids.shape
        assert t <= 32
        return self.emb(ids) + self.pos(torch.arange(t))


# x:f32[B,T,16]
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.register_buffer("mask", torch.tril(torch.ones(64, 64)))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(16, dim=2)
        q = q.view(b, t, 4, 4).transpose(1, 2)
        k = k.view(b, t, 4, 4).transpose(1, 2)
        v = v.view(b, t, 4, 4).transpose(1, 2)
        a = q @ k.transpose(-2, -1) / math.sqrt(4)
        a = a.masked_fill(self.mask[:t, :t] == 0, float("-inf"))
        return (F.softmax(a, dim=-1) @ v).transpose(1, 2).reshape(b, t, c)


# x:f32[B,T]
class Even(nn.Module):
    def forward(self, x):
        if x.shape[1] % 2 == 1:
            x = F.pad(x, (0, 1))
        return x.view(x.shape[0], -1, 2).sum(-1)


# x:f32[B,C] scale:f32[C]
class Shared(nn.Module):
    def forward(self, x, scale):
        return F.layer_norm(x, (x.shape[1],)) * scale


# pair=(f32[B,4],f32[B,4])
class Nested(nn.Module):
    def forward(self, pair):
        a, b = pair
        return torch.cat([a, b])


# batch={'x':f32[B,4],'y':f32[B]}
class Mapping(nn.Module):
    def forward(self, batch):
        return batch['x'] * batch['y'][:, None]


# x:f32[B,T] n:int=3
class Number(nn.Module):
    def forward(self, x, n: int):
        return x * n + x.mean()


# x:f32[B,2*T]
class Halves(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        return a * b.sigmoid()


# x:f32[B,T+1]
class Shift(nn.Module):
    def forward(self, x):
        return x[:, 1:] - x[:, :-1]


# x:f32[B,4] mask=None
class Masked(nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if mask is not None:
            x = x * mask
        return x


# x:f32[B,4]
class Values(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return x - 1


# x:f32[B,T]
class Window(nn.Module):
    def forward(self, x):
        n = min(x.shape[1], 10)
        return x[:, -n:].mean(1)


# x:f32[B,T]
class Batchwise(nn.Module):
    def forward(self, x):
        out = []
        for row in x:
            out.append(row * 2)
        return torch.stack(out)


# x:f32[B,H,W]
class Square(nn.Module):
    def forward(self, x):
        return x @ x


# x:f32[B,H,W]
class Taller(nn.Module):
    def forward(self, x):
        if x.shape[1] > x.shape[2]:
            x = x.transpose(1, 2)
        return x.sum(-1)


# x:f32[B,T,8]
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 4, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]


# x:f32[B,T,8]
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        return self.layer(x)


# x:f32[B,3,H,W]
class Resize(nn.Module):
    def forward(self, x):
        h, w = x.shape[-2:]
        y = F.avg_pool2d(x, 2)
        return F.interpolate(y, size=(h, w)) + x


# x:f32[B,T] y:f32[B,T]
class Either(nn.Module):
    def forward(self, x, y):
        if x.shape[0] == 1:
            return x + y
        return torch.cat([x, y], 1)


# x:f32[B,T,16]
class Context(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(1, 1, 32, 32)))

    def forward(self, x):
        t = x.shape[1]
        s = (x @ x.transpose(1, 2))[:, None]
        return s.masked_fill(self.mask[:, :, :t, :t] == 0, 0.0)


# x:f32[B,T,16]
class Last(nn.Module):
    def forward(self, x):
        return x[:, -4:] + 1


# x:f32[B,T,16]
class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.pe = nn.Parameter(torch.zeros(1, 50, 16))

    def forward(self, x):
        return x + self.pe[:, :x.size(1)]


# x:f32[T]
class Slice(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.ones(4, 64))

    def forward(self, x):
        return x + self.w[:, :x.shape[0]]


# x:f32[B,8] n:i64[]
class Scaled(nn.Module):
    def forward(self, x, n):
        return x * n.item() + int(n)


# x:f32[B,C]
class Rounds(nn.Module):
    def forward(self, x):
        n = 0
        while n < x.shape[1] and n < 3:
            x = x + 1
            n += 1
        return x
