# Conditions that the data decide.
import torch
from torch import nn


def simple(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y + 1


def shapes(x):
    if x.mean() > 0:
        y = torch.cat([x, x])
    else:
        y = x
    return y * 2


def dtypes(x):
    if x.sum() > 0:
        y = x > 0
    else:
        y = x * 3
    return y + 1


def ranks(x):
    if x.sum() > 0:
        y = x.sum(0)
    else:
        y = x
    return y * 2


def nested(x):
    if x.sum() > 0:
        if x.max() > 2:
            y = x / 2
        else:
            y = x * 2
    elif x.min() < -2:
        y = -x
    else:
        y = x + 10
    return y


def number(x):
    k = 2
    if x.sum() > 0:
        k = 5
    return x * k


def early(x):
    if x.sum() > 0:
        return x * 2
    y = x.exp()
    if y.sum() > 4:
        return y
    return y - 1


def none(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    if y is not None:
        return y + 1
    return x - 1


def item(x):
    s = x.sum().item()
    if s > 0:
        return x * 2
    return x / 2


def real(x):
    s = float(x.sum())
    if s > 0:
        return x * s
    return x / 2


def both(x, y):
    if x.sum() > 0 and y.sum() > 0:
        return x + y
    return x - y


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(4, 8)

    def forward(self, x):
        if x.mean() > 0:
            h = self.a(x)
        else:
            h = torch.relu(self.b(x))
        return {"h": h, "sum": h.sum(1)}


def maybe(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    return x + 1, y


def either(x):
    y, z = None, None
    if x.max() > 2:
        y = torch.cat([x, x])
    if x.sum() > 0:
        z = x.sum(0)
    return {"y": y, "z": z, "w": x}


def nested_none(x):
    z = None
    if x.max() > 2:
        y = x * 2
    else:
        y = x
        if x.sum() > 0:
            z = x.sum(0)
    return y, z


def other_or_written(x):
    y = x * 1
    if x.sum() > 0:
        z = x * 2
    else:
        y.add_(1)
        z = y
    return z, y
