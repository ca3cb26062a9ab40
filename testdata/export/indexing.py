"""Forms of indexing and assignment, with sizes that are not known at export."""
import torch


def slices(x):
    return x[1:, ..., ::2], x[:-1], x[-2:, None, 0], x[..., -1], x[:, x.shape[1] // 2:, 1:-1]


def tensors(x, i, j):
    return x[i], x[:, i], x[i, j], x[i, :, j], x[i[:, None], j[None]], x[-1, i, None, j], x[i, 0], x[i][:, j]


def negative(x, i):
    return x[-i - 1], x[i - 2, -1 - i], x[[0, -1]], x[:, [[0], [1]], i]


def masks(x, m):
    return x[m], x[m].sum(), x[x > 0], x[:, :, 0][m], x[m[:, 0]]


def scalar_index(x, i):
    n = i[0]
    return x[n], x[:, n], x[n, n]


def assign(x, v):
    y = x.clone()
    y[0] = 0
    y[:, 1:3] = v
    y[..., -1] = 2.5
    y[::2, 0] += 1
    y[-1, :, None] = 7
    return y


def assign_masks(x, m, v):
    y = x.clone()
    y[m] = -1
    z = x.clone()
    z[z > 0.5] = 0.5
    w = x.clone()
    w[m[:, 0]] = v
    k = x.clone()
    k[m] = k[m] * 2
    return y, z, w, k


def assign_tensors(x, i, j, v):
    y = x.clone()
    y[i] = 0
    z = x.clone()
    z[i, j] = v
    w = x.clone()
    w[:, j] = 1
    w[i - 2, :, 0] = 3
    return y, z, w


def views(x):
    y = x.clone()
    y[:, 0].zero_()
    y[0].fill_(3)
    y[1:, 1].copy_(x[1:, 2])
    y[0, 1].mul_(2)
    return y


def views2(x):
    y = x * 1
    first, rest = y[0], y[1:]
    t = y.transpose(0, 1)
    y.mul_(2)
    a = first + 1
    rest[0] += 5
    t[:, 0, 1:3] = 9
    b = first.sum()
    torch.relu_(rest)
    left, right = y.chunk(2, dim=-1)
    left.sub_(right)
    flat = y.view(-1)
    flat[::2] = 0
    return a, b, y, first, rest, t, left, flat


def views3(x):
    y = x.clone()
    y[:, 1][:, 2:4] -= 1
    d = y[:, :, 0]
    d.unsqueeze_(0)
    d.add_(10)
    z = y.expand(2, *y.shape)
    y.diagonal(dim1=1, dim2=2).fill_(0)
    return y, d, z.sum(0)


def scatters(x, i):
    e = torch.zeros(x.shape[0], 8).scatter_(1, i, 1.0)
    g = x[:, :, 0].gather(1, i)
    a = torch.zeros(8).index_add_(0, i[0], torch.ones(i.shape[1]))
    return e, g, a, torch.bincount(i.flatten(), minlength=3), torch.nn.functional.one_hot(i, 8)


def order(x):
    v, at = x.sort(dim=1, descending=True)
    top, where = x.topk(2, dim=-1)
    return v, at, top, where, x.median(1).values, x.kthvalue(2, 1).values, x.quantile(0.3, dim=1), x.argsort(0)


def counts(x):
    u, inverse, n = torch.unique((x * 2).round(), return_inverse=True, return_counts=True)
    return u, inverse, n, (x > 0).nonzero(), torch.where(x > 1)[0], x.cumsum(1), x.cummax(0).values, x.repeat_interleave(2, 1)


def made(x):
    n, m = x.shape[0], x.shape[1]
    grid = torch.meshgrid(torch.arange(n), torch.arange(m), indexing='xy')
    mask = torch.full((m, m), float('-inf')).triu(1)
    return grid[0], grid[1], mask, torch.eye(n, m), torch.arange(n, 0, -1), torch.linspace(0, 1, m), torch.ones(n, m).tril(), torch.zeros_like(x), x.new_full((m, 2), 3.5), torch.hann_window(m)


def pads(x):
    f = torch.nn.functional.pad
    return f(x, (1, 2)), f(x, (1, 1, 2, 0), value=3.0), f(x, (1, 1), mode='reflect'), f(x, (2, 1), mode='replicate'), f(x, (2, 1), mode='circular'), f(x, (-1, 1)), f(x, (0, x.shape[0]))


def one_over_a_size(x):
    return x[1 % x.shape[0]], x[-1 % x.shape[0] - 1]
