# Loops over the rows of a tensor, one after the other.
import torch


def row_for(x):
    acc = torch.zeros(3)
    for r in x.unbind(0):
        acc = acc + r.exp()
    return acc


def row_dim1(x):
    acc = torch.zeros(3)
    for c in x.t().unbind(1):
        acc = acc * 0.5 + c
    return acc


def row_index(x):
    return x.unbind(0)[0]


def row_index_last(x):
    return x.unbind(0)[-1]


def row_enumerate(x):
    acc = torch.zeros(3)
    for i, r in enumerate(x.unbind(0)):
        acc = acc + r * i
    return acc


def row_zip(x):
    y = x * 2 + 1
    acc = torch.zeros(3)
    for a, b in zip(x.unbind(0), y.unbind(0)):
        acc = acc + a * b
    return acc


def row_zip_tensors(x):
    y = x * 2 + 1
    acc = torch.zeros(3)
    for a, b in zip(x, y):
        acc = acc * 2 + a * b
    return acc


def row_enumerate_tensor(x):
    acc = torch.zeros(3)
    for i, r in enumerate(x):
        acc = acc * 2 + r * i
    return acc


def row_reversed(x):
    acc = torch.zeros(3)
    for r in reversed(x.unbind(0)):
        acc = acc * 2 + r
    return acc


def row_reversed_range(x):
    acc = torch.zeros(3)
    for i in reversed(range(x.shape[0])):
        acc = acc * 2 + x[i]
    return acc


def row_slice_tensor(x):
    acc = torch.zeros(3)
    for r in x[1:]:
        acc = acc * 2 + r
    return acc


def row_len(x):
    ps = x.unbind(0)
    acc = torch.zeros(3)
    for i in range(len(ps)):
        acc = acc * 2 + ps[i]
    return acc


def row_nested(x):
    acc = torch.zeros(())
    for r in x:
        for e in r:
            acc = acc * 0.5 + e
    return acc


def row_nested_open(x):
    y = x @ x.t()
    acc = torch.zeros(())
    for r in y.unbind(0):
        for e in r.unbind(0):
            acc = acc * 0.5 + e
    return acc


def row_write(x):
    x = x.clone()
    ps = x.unbind(0)
    x.add_(1)
    acc = torch.zeros(3)
    for p in ps:
        acc = acc * 2 + p
    return acc


def row_two_loops(x):
    ps = x.unbind(0)
    acc = torch.zeros(3)
    for p in ps:
        acc = acc * 2 + p
    for p in ps:
        acc = acc + p * 2
    return acc


def row_iter_next(x):
    it = iter(x.unbind(0))
    a = next(it)
    for r in it:
        a = a * 2 + r
    return a


def row_iter_next_tensor(x):
    it = iter(x)
    a = next(it)
    for r in it:
        a = a * 2 + r
    return a


def row_break(x):
    a = torch.zeros(3)
    for r in x.unbind(0):
        if r.sum() < 0:
            break
        a = a * 2 + r
    return a


def row_last_var(x):
    for r in x.unbind(0):
        y = r * 2
    return y + r


def range_step(x):
    acc = torch.zeros(3)
    for i in range(1, x.shape[0], 2):
        acc = acc * 2 + x[i]
    return acc


def range_down(x):
    acc = torch.zeros(3)
    for i in range(x.shape[0] - 1, -1, -1):
        acc = acc * 2 + x[i]
    return acc


def range_down2(x):
    acc = torch.zeros(3)
    for i in range(x.shape[0] - 1, 0, -2):
        acc = acc * 2 + x[i]
    return acc


def range_rev(x):
    acc = torch.zeros(3)
    for i in reversed(range(1, x.shape[0])):
        acc = acc * 2 + x[i]
    return acc


def range_neg(x):
    acc = torch.zeros(3)
    for i in range(x.shape[0]):
        acc = acc * 2 + x[-i - 1]
    return acc
