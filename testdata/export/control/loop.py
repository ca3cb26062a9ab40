# Loops whose number of iterations the data or the sizes decide.
import torch
from torch import nn


def halve(x):
    while x.abs().max() > 1:
        x = x / 2
    return x


def count(x):
    n = 0
    while x.abs().sum() > 1:
        x = x / 2
        n = n + 1
    return x, n


def over_size(x):
    y = torch.zeros(3)
    for i in range(x.shape[0]):
        y = y + x[i] * i
    return y


def over_tensor(x):
    y = torch.zeros(3)
    for row in x:
        y = torch.tanh(y + row)
    return y


def stop(x):
    s = torch.zeros(3)
    for i in range(x.shape[0]):
        s = s + x[i]
        if s.sum() > 2:
            break
    return s


def skip(x):
    s = torch.zeros(3)
    for i in range(x.shape[0]):
        if x[i].sum() < 0:
            continue
        s = s + x[i]
    return s


def found(x):
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            return x[i] * 2
    return torch.zeros(3)


def otherwise(x):
    y = torch.zeros(3)
    for i in range(x.shape[0]):
        y = y + x[i]
        if y.sum() > 3:
            break
    else:
        y = y - 1
    return y


def forever(x):
    n = 0
    while True:
        x = x * 2
        n += 1
        if x.sum() > 100:
            break
        if n > 5:
            return x - 1
    return x


def stacked(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i] * i)
    return torch.stack(out)


def joined(x):
    out = [x]
    for i in range(x.shape[0]):
        out.append(x[i : i + 1] + 1)
    return torch.cat(out, dim=0)


def grows(x):
    y = x
    while y.shape[0] < 7:
        y = torch.cat([y, x])
    return y


def cat_each(x):
    y = x[:1]
    for i in range(x.shape[0]):
        y = torch.cat([y, x[i : i + 1] * 2])
    return y


def two(x):
    y = torch.zeros(3)
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            y = y + x[i] * x[j]
    return y


def last(x):
    best = None
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            best = x[i]
    if best is None:
        return torch.zeros(3)
    return best + 1


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.ih = nn.Linear(3, 8)
        self.hh = nn.Linear(8, 8)

    def forward(self, x):
        h = torch.zeros(x.shape[1], 8)
        outs = []
        for t in range(x.shape[0]):
            h = torch.tanh(self.ih(x[t]) + self.hh(h))
            outs.append(h)
        return torch.stack(outs, dim=1), h


def running_sum(x):
    total = 0
    for i in range(x.shape[0]):
        total += x[i].sum()
    return total


def while_counted(x):
    out = []
    i = 0
    while i < x.shape[0] * 2 + 1:
        out += [x[i // 2 % x.shape[0]] * i]
        i += 1
    return torch.stack(out) + i, x.new_zeros(i)


def while_down(x):
    n = x.shape[0] + 3
    y = x.sum(0)
    while n > 2:
        n -= 2
        y = y * 0.5 + n
    return y, x.new_ones(n)


def while_by_length(x):
    out = []
    while len(out) < x.shape[0]:
        out.append(x[0] + 1)
    return torch.stack(out)


def while_list(x):
    out = [x[0]]
    while x.sum() > 0:
        x = x - 1
        out.append(x[0])
    return torch.stack(out)
