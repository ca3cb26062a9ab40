# Pieces of a dimension whose number is not known: split, chunk and unbind in loops.
import torch
from torch import nn


def steps(x):
    out, h = [], x[:, :1] * 0
    for c in x.split(1, dim=1):
        h = torch.tanh(h + c)
        out += [h]
    return torch.cat(out, dim=1)


def shorter_last(x):
    return torch.stack([c.sum(1) for c in x.split(4, dim=1)], dim=1)


def chunks(x):
    a = x.new_zeros(x.shape[0])
    for k, c in enumerate(x.chunk(x.shape[0], dim=1)):
        a = a + c.sum(1) * (k + 1)
    return a


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(5, 7)

    def forward(self, x):
        h, out = x.new_zeros(x.size(0), 7), []
        for c in x.unbind(1):
            h = self.cell(c, h)
            out.append(h)
        y = torch.stack(out, 1)
        for c, d in zip(x.chunk(x.size(1), 1), y.split(1, 1)):
            h = h + d.squeeze(1) * c.mean()
        return y, h


def reversed_lists(x):
    keep = [r * 2 for r in x]
    return torch.stack(keep[::-1]), torch.cat([k.flip(0) for k in reversed(keep)])


def slices(x):
    out, h = [], x[0]
    for r in x:
        h = torch.tanh(h + r)
        out.append(h)
    parts = [torch.stack(p) for p in (out[:-1], out[::2], out[-2:], out[-1:0:-2])]
    return parts, torch.cat([p * q for p, q in zip(out, out[1:])]), len(out[2:5]), len(out[5:2])


def numbered(x):
    parts = (x, -x, x * 2)
    y = [x, -x][int(x.shape[1] % 2 == 0)]
    z = parts[x.shape[0] % 3] + [x[:1], x[:, :1]][x.shape[0] // 3].sum()
    return y + z, [x, x.t()][x.shape[1] % 2].sum()


def truths(x):
    h, w = x.shape
    x = nn.functional.pad(x, (0, int(w % 2 == 1), 0, int(h % 2 != 0)))
    return x[:, :x.shape[1] - (h > 3)], sum([h > 2, w > 2])


def sums(x):
    rows = []
    for i in range(x.shape[0]):
        rows.append(x[i])
    return sum(rows), sum(v for v in x.unbind(1)), sum([t * 2 for t in rows[1:]]) if len(rows) > 1 else x[0]
