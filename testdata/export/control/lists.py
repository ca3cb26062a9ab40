# Lists of tensors of which the data decide how many there are, and conditions on data.
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import List, Optional


class Adaptive(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 3)

    def forward(self, x):
        h = torch.zeros_like(x)
        steps: List[torch.Tensor] = []
        while h.norm() < 1.0 and len(steps) < 6:
            h = self.cell(x, h)
            steps.append(h)
        if len(steps) == 0:
            return x
        return torch.stack(steps).mean(0)


class Early(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])
        self.exit = nn.Linear(3, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
            if torch.sigmoid(self.exit(x)).mean() > 0.5:
                return x, torch.tensor(1)
        return x * 2, torch.tensor(0)


def collatz(x):
    n = x.abs().sum().round().long() + 1
    k = torch.zeros((), dtype=torch.long)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        k += 1
    return k


def rows_until(x):
    out = []
    for row in x:
        if row.sum() < 0:
            break
        if row[0] == 0:
            continue
        out.append(row * 2)
    if not out:
        return x.new_zeros(1, 3)
    return torch.stack(out)


def maybe_none(x):
    m: Optional[torch.Tensor] = None
    if x.sum() > 0:
        m = x > 0.2
    if m is not None:
        x = x.masked_fill(m, -1.0)
    return x


def nested(x):
    if x.sum() > 0:
        if x.max() > 1:
            y = x / x.max()
        elif x.min() < 0:
            y = x - x.min()
        else:
            y = x
    else:
        y = -x
        if y.sum() > 5:
            return y.mean(0, keepdim=True)
    return y + 1


def find(x):
    for i in range(x.shape[0]):
        if x[i].sum() > 1:
            return x[i], torch.tensor(i)
    return x[-1], torch.tensor(-1)


def beam(x):
    tokens = torch.zeros(1, dtype=torch.long)
    h = x.mean(0)
    for _ in range(5):
        h = torch.tanh(h * 1.5 + 0.1)
        t = h.argmax().reshape(1)
        tokens = torch.cat([tokens, t])
        if t.item() == 2:
            break
    return tokens, h


def power(x):
    v = torch.ones(3)
    prev = v * 0
    n = 0
    while (v - prev).abs().max() > 1e-3 and n < 50:
        prev = v
        v = x.t() @ (x @ v)
        v = v / (v.norm() + 1e-6)
        n += 1
    return v, n


def buckets(x):
    pos, neg = [], []
    for i in range(x.size(0)):
        if x[i, 0] > 0:
            pos.append(x[i])
        else:
            neg.append(x[i])
    a = torch.stack(pos).sum(0) if len(pos) > 0 else torch.zeros(3)
    b = torch.stack(neg).sum(0) if len(neg) > 0 else torch.zeros(3)
    return a, b


def state(x):
    best, best_i = None, -1
    for i in range(x.shape[0]):
        s = x[i].sum()
        if best is None or s > best:
            best, best_i = s, i
    return best, best_i


def while_else(x):
    i = 0
    while i < x.shape[0]:
        if x[i].sum() > 2:
            r = x[i]
            break
        i += 1
    else:
        r = torch.zeros(3)
    return r, torch.tensor(i)


def two_lists(x):
    hs, cs = [], []
    h = c = torch.zeros(3)
    for t in range(x.size(0)):
        c = 0.5 * c + x[t]
        h = torch.tanh(c)
        hs.append(h)
        cs.append(c)
    return torch.stack(hs[::-1]), torch.cat(cs), hs[-1]


def dict_state(x):
    s = {"a": x, "n": torch.zeros(())}
    while s["a"].abs().max() > 0.5:
        s["a"] = s["a"] * 0.5
        s["n"] = s["n"] + 1
    return s["a"], s["n"]


def popped(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i])
    out.pop()
    return torch.stack(out + [x[0]])


def inserted(x):
    out = []
    for i in range(x.shape[0]):
        out.insert(0, x[i])
    return torch.stack(out)


def inserted2(x):
    out = [x[0]]
    for i in range(x.shape[0]):
        out.append(x[i] * 2)
    out.insert(0, x[-1])
    return torch.stack(out)


def reversed_(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i])
    out.reverse()
    return torch.stack(out)


def stored(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i])
    out[0] = x[-1] * 3
    return torch.stack(out)


def deleted(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i])
    out.append(x[0])
    del out[0]
    return torch.stack(out)


def sliced(x):
    out = [x[0] * 2]
    for i in range(x.shape[0]):
        out.append(x[i])
    return torch.stack(out[1:])


def joined(x):
    a, b = [], [x[0]]
    for i in range(x.shape[0]):
        a.append(x[i])
        b += [x[i] * 2]
    return torch.stack(a + b), torch.stack(b + a), torch.stack([x[-1]] + a), torch.cat(a * 2)


def sorted_(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    a = sorted(a, key=lambda t: -t.sum())
    return torch.stack(a)


def rev_iter(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    return torch.stack(list(reversed(a)))


def rev_comp(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    return torch.stack([t * 2 for t in a]), torch.stack([t for t in reversed(a)]), sum(a)


def enum_zip(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    s = torch.zeros(3)
    for i, t in enumerate(a):
        s = s * 0.5 + t * i
    for t, r in zip(a, x):
        s = s * 0.3 + t * r
    return s


def tuple_of(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    a[-1] = a[-1] + 1
    t = tuple(a)
    return torch.stack(t), t[0]


def pop_loop(x):
    a = []
    for i in range(x.shape[0]):
        a.append(x[i])
    s = torch.zeros(3)
    while a:
        s = s * 0.5 + a.pop()
    return s


def queue(x):
    a = [x]
    s = torch.zeros(3)
    while len(a) > 0:
        y = a.pop(0)
        if y.shape[0] > 1:
            k = y.shape[0] // 2
            a.append(y[:k])
            a.append(y[k:])
        else:
            s = s * 0.9 + y[0]
    return s


def numbers_of(x):
    a = x.to(torch.int64).tolist()
    y = torch.full((2,), a[0][1]) + a[1][0]
    return y, x[:, : abs(a[1][1])] * a[0][0]


def numbers_summed(x):
    s = torch.zeros(2)
    for i, v in enumerate(x[:, 0].tolist()):
        s = s * 0.5 + v * i
    return s


def groups(x):
    ends = (x[:, 0].abs().long() % 3).cumsum(0).tolist()
    out = torch.zeros(12, 3)
    start = 0
    for i, end in enumerate(ends):
        if start == end:
            continue
        out[start:end] = x[i] * 2
        start = end
    return out
