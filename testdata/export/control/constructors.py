# Constructors and calls that write into parameters, buffers and other tensors of a module.
import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.zeros(3)
        self.t[1:].fill_(3)
        self.t[0] = 2

    def forward(self, x):
        return x * self.t


class Transient(nn.Module):
    def __init__(self):
        super().__init__()
        t = torch.zeros(2, 3)
        t[:, ::2] = torch.arange(2.0)
        t.t()[1].add_(5)
        self.register_buffer("t", t, persistent=False)

    def forward(self, x):
        return x.sum() * self.t


class Positional(nn.Module):
    def __init__(self, d=6, n=10):
        super().__init__()
        pe = torch.zeros(n, d)
        pos = torch.arange(0, n).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, d, 2).float() * 0.3)
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe.unsqueeze(0))
        self.plain = pe

    def forward(self, x):
        return x.sum() + self.pe[:, :4], self.plain


class ViewOfBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("b", torch.zeros(3))
        self.b[1:].add_(1)
        self.head = self.b[:2]

    def forward(self, x):
        self.b.mul_(2)
        return x + self.b, self.head


class BufferOfView(nn.Module):
    def __init__(self):
        super().__init__()
        self.big = torch.arange(6.0)
        self.register_buffer("b", self.big[3:])

    def forward(self, x):
        self.b += 1
        return self.big + x.sum(), self.b


class Loop(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        t = torch.zeros(n, 3)
        for i in range(n):
            r = t[i]
            r.add_(i)
            r[0] -= 1
        self.t = t

    def forward(self, x):
        return self.t * x.sum()


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)
        self.b.weight = self.a.weight
        self.c = self.a.weight[0]

    def forward(self, x):
        return self.b(self.a(x)) + self.c


class WriteParam(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(3))
        with torch.no_grad():
            self.w[1] = 4

    def forward(self, x):
        with torch.no_grad():
            self.w[0].add_(x.sum())
            self.w.data[2:] *= 3
        return x * self.w


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.zeros((), dtype=torch.long))
        self.register_buffer("mem", torch.zeros(4, 3))

    def forward(self, x):
        for i in range(x.shape[0]):
            if x[i].sum() > 0:
                self.mem[self.n % 4] = x[i]
                self.n += 1
        return self.mem, self.n


class Random(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.empty(3)
        nn.init.normal_(self.t)

    def forward(self, x):
        return x * self.t


class Ones(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.empty(3)
        nn.init.ones_(self.t)

    def forward(self, x):
        return x * self.t


class Randn(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.randn(3)

    def forward(self, x):
        return x * self.t


class SetData(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(3))
        t = torch.ones(3)
        self.w.data = t
        self.t = t

    def forward(self, x):
        return x * self.w + self.t


class Queue(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("q", torch.zeros(6, 3))
        self.register_buffer("p", torch.zeros(1, dtype=torch.long))

    def forward(self, x):
        k = int(self.p)
        self.q[k:k + 1] = x[:1]
        self.p[0] = (k + 1) % 6
        return self.q.sum(0), self.p


class SpectralLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("u", torch.ones(3))
        self.w = nn.Parameter(torch.eye(3) * 2)

    def forward(self, x):
        for _ in range(2):
            v = torch.mv(self.w.t(), self.u)
            v = v / (v.norm() + 1e-5)
            self.u.copy_(torch.mv(self.w, v))
        return x @ self.w / self.u.sum()


class EMA(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("m", torch.zeros(3))

    def forward(self, x):
        if x.sum() > 0:
            self.m.lerp_(x.mean(0), 0.5)
            view = self.m[1:]
            view.clamp_(max=1)
        return x - self.m


class Flagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("f", torch.ones(3), persistent=False)
        for values in torch.arange(3.0), torch.zeros(3):
            if not getattr(self.f, "_is_filled", False):
                with torch.no_grad():
                    self.f.copy_(values)
                self.f._is_filled = True

    def forward(self, x):
        return x * self.f
