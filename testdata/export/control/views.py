# Writes through views in branches and loops, into one of several tensors, and into memory
# that some functions give again and others copy.
import torch
import torch.nn.functional as F


def if_slice_steps(x):
    x = x.clone()
    if x.sum() > 0:
        x[:, ::2].mul_(3)
    else:
        x[::2, 1:] += 1
    return x


def if_mask(x):
    x = x * 1
    y = x[0]
    if x.sum() > 0:
        y[y > 0.5] = 9
    return x, y


def if_transposed(x):
    x = x.clone()
    t = x.t()
    if x.sum() > 0:
        t[1] = 5
        t[0].add_(t[1])
    return x, t


def if_chained(x):
    x = x.clone()
    y = x.view(-1)[1:]
    if x.sum() > 0:
        y[::2].neg_()
    else:
        y.mul_(10)
    return x, y


def if_nested(x):
    x = x.clone()
    y = x[0]
    if x.sum() > 0:
        if x.max() > 2:
            y.mul_(2)
        else:
            x[:, 0] = 7
    else:
        if x.min() < -2:
            y.add_(1)
    return x, y


def if_view_made_inside(x):
    x = x.clone()
    if x.sum() > 0:
        y = x[0]
        y.zero_()
    else:
        y = x[0] * 1
        y.fill_(3)
    y.add_(1)
    return x, y


def if_pick_view(x):
    x = x.clone()
    if x.sum() > 0:
        y = x[0]
    else:
        y = x[-1]
    y.add_(1)
    x.mul_(2)
    return x, y


def if_fresh_or_same(x):
    x = x.clone()
    y = x
    if x.sum() > 0:
        y = x.clone()
    y.add_(1)
    return x, y


def if_fresh_or_same_read(x):
    x = x.clone()
    y = x
    if x.sum() > 0:
        y = x * 3
    x.add_(1)
    return x, y


def if_index_in_branch(x):
    x = x.clone()
    if x.sum() > 0:
        k = 0
        y = x[k]
    else:
        k = x.shape[0] - 1
        y = x[k]
    y.mul_(2)
    return x


def if_tensor_index(x):
    x = x.clone()
    i = x.sum(1).argmax()
    if x.sum() > 0:
        y = x[i]
    else:
        y = x.select(0, 0)
    y.mul_(2)
    return x, y


def if_early(x):
    x = x.clone()
    y = x[0]
    if x.sum() > 0:
        y.add_(5)
        return x
    y.add_(7)
    return x * 2


def if_two_of_three(x):
    a, b, c = x * 1, x * 2, x * 3
    y = a if x.sum() > 0 else b
    z = y if x.max() > 2 else c
    z.add_(1)
    y.mul_(2)
    return a, b, c, y, z


def if_none(x):
    x = x.clone()
    y = None
    if x.sum() > 0:
        y = x[0]
    if y is not None:
        y.add_(1)
    return x


def if_list(x):
    a, b = x * 1, x * 2
    ts = [a, b]
    if x.sum() > 0:
        ts[0].add_(1)
    else:
        ts[1][0].add_(2)
    return a, b, ts[0] + ts[1]


def if_dict(x):
    d = {"a": x * 1, "b": x[0] * 1}
    v = d["a"][:, 1]
    if x.sum() > 0:
        d["a"] += 1
        d["b"].copy_(v.sum())
    return d["a"], d["b"], v


def loop_nested(x):
    x = x.clone()
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += i * 10 + j
    return x


def loop_nested_views(x):
    x = x.clone()
    for i in range(x.shape[0]):
        r = x[i]
        for j in range(x.shape[0]):
            r[1:].add_(x[j, 0])
        r.mul_(2)
    return x


def loop_prev_row(x):
    out = x.clone()
    prev = out[0]
    for i in range(1, x.shape[0]):
        cur = out[i]
        cur += prev
        prev = cur
    return out, prev


def loop_data(x):
    w = x * 1
    for i in range(x.shape[0]):
        w.data[i].mul_(2)
        w.data.add_(0.5)
    return w


def loop_while(x):
    x = x.clone()
    y = x[:, 1:]
    while x.abs().sum() > 1:
        y.mul_(0.5)
        x[:, 0] /= 2
    return x, y


def loop_break(x):
    x = x.clone()
    for i in range(x.shape[0]):
        x[i].mul_(3)
        if x.sum() > 2:
            break
        x[i, 0] = 0
    return x


def loop_cond_write(x):
    x = x.clone()
    for i in range(x.shape[0]):
        r = x[i]
        if r.sum() > 0:
            r.neg_()
        else:
            r[0] = 1
    return x


def loop_rows(x):
    x = x.clone()
    for r in x:
        r.add_(1)
    return x


def loop_unbind(x):
    x = x.clone()
    for r in x.unbind(0):
        r[0].mul_(4)
        r -= 1
    return x


def loop_view_of_fresh(x):
    h = x * 1
    v = h[0]
    for i in range(x.shape[0]):
        h = h * 2
        v = h[0]
        v += 1
    return h, v


def loop_buffer_fill(x):
    out = torch.zeros(x.shape[0], 3)
    for i in range(x.shape[0]):
        out[i] = x[i] * i
        out[i, 0] = out[:i + 1, 1].sum()
    return out


def loop_slices(x):
    out = torch.zeros(x.shape[0] + 2, 3)
    for i in range(x.shape[0]):
        out[i:i + 2] += x[i]
    return out


def loop_steps(x):
    out = torch.zeros(x.shape[0] * 2, 3)
    e, o = out[::2], out[1::2]
    for i in range(x.shape[0]):
        e[i] = x[i]
        o[i].sub_(x[i])
    return out, e, o


def loop_masked(x):
    x = x.clone()
    for i in range(x.shape[0]):
        m = x[:, 0] > i
        x[m] = x[m] - 1
        x[:, 1:][x[:, 1:] < 0] = 0
    return x


def loop_transposed(x):
    x = x.clone()
    t = x.t()
    for i in range(x.shape[0]):
        t[:, i].mul_(2)
        t[0] += 1
    return x, t


def loop_in_branch(x):
    x = x.clone()
    if x.sum() > 0:
        for i in range(x.shape[0]):
            x[i].add_(i)
    return x


def loop_return(x):
    x = x.clone()
    for i in range(x.shape[0]):
        x[i] += 1
        if x[i].sum() > 5:
            return x * 2
    return x


def loop_new_each(x):
    acc = torch.zeros(3)
    for i in range(x.shape[0]):
        t = x[i].clone()
        t[0].add_(100)
        u = t[1:]
        u.mul_(2)
        acc += t
    return acc


def to(x):
    x = x.clone()
    y = x.to(torch.float32)
    y.add_(1)
    z = x.float()
    z.mul_(2)
    w = x.double()
    w.zero_()
    return x, y, z


def expand(x):
    x = x[:1].clone()
    y = x.expand(4, 3)
    x.add_(1)
    return x, y


def diagonal(x):
    x = x[:1].clone().expand(3, 3).contiguous()
    d = x.diagonal()
    d.fill_(9)
    return x, d


def narrow(x):
    x = x.clone()
    y = x.narrow(1, 1, 2)
    y.zero_()
    a, b = x.split([1, 2], 1)
    b += a
    return x


def unfold(x):
    x = x.clone()
    y = x.unfold(1, 2, 1)
    x.add_(1)
    return x, y


def movedim(x):
    x = x.clone().unsqueeze(0)
    y = x.movedim(2, 0)
    y[0].fill_(4)
    z = x.permute(2, 1, 0).squeeze(-1)
    z[1] = -1
    return x, y, z


def as_strided(x):
    x = x.clone()
    y = x.as_strided((2,), (2,))
    y.fill_(8)
    return x


def input(x):
    y = x[0]
    y.add_(1)
    return x, y


def iadd_attr(x):
    x = x.clone()
    x[0] += 1
    x[:, 1] *= x[:, 0]
    x[[0]] += 5
    return x


def flip_is_copy(x):
    x = x.clone()
    y = x.flip(0)
    y.add_(1)
    z = x.roll(1, 0)
    z.zero_()
    return x, y, z


def where_copy(x):
    x = x.clone()
    y = x[torch.tensor([0])]
    y.zero_()
    return x, y


def swap(x):
    x = x.clone()
    a = x[0]
    x[0] = x[-1]
    x[-1] = a
    return x


def unsqueeze_inplace(x):
    x = x.clone()
    y = x[0]
    y.unsqueeze_(0)
    y.add_(1)
    x.t_()
    return x, y


def resize(x):
    a = x.clone()
    b = a.view(-1)
    torch.sin(b, out=b[:])
    return a, b


def list_aug(x):
    ts = [x * 1, x * 2]
    for t in ts:
        t += 1
    ts[0] += ts[1]
    return ts


def copy_overlap(x):
    x = x.clone()
    y = x.flatten()
    y[1:] = y[:-1].clone()
    return x


def index_put(x):
    x = x.clone()
    y = x[:, 1:]
    y.index_fill_(0, torch.tensor([0]), 6.0)
    y.masked_fill_(y < 0, 0)
    x.t().scatter_(0, torch.zeros(1, 1, dtype=torch.long), 11.0)
    return x, y


def one_of_three_and_a_view(x):
    a, b, c = x * 1, x * 2, x - 1
    u, v = a[0], b.sum(0)
    if v.sum() > 0.5:
        c = c.t().contiguous().t()
        a.data.add_(-1)
        u.mul_(0.5)
    else:
        if a[0, 0] > 1:
            b[0].add_(2)
            if u.sum() > 0.5:
                b = a * -0.5
                c = c[:]
                a = c + a
            b.t()[0].add_(2)
        a[:, 1:] *= 0.5
    a.data.add_(1)
    torch.add(a, 0.5, out=c[:])
    return a, b, c, u, v


def written_in_a_loop_of_a_branch(x):
    a, b, c = x * 1, x * 2, x - 1
    u, v = a[0], b.sum(0)
    c[-1] = u.clone()
    b = a
    if a[0, 0] > 2:
        for i in range(x.shape[0]):
            b.data.add_(1)
        b = a.flip(0)
    u = u.clone()
    if b.sum() > 1:
        if b.sum() > 3:
            b = b.reshape(-1, 3)
            if b[0, 0] > -0.5:
                a = a.clone()
            else:
                v = u * -1
                c[1:].sub_(2)
        else:
            if u.sum() > 2:
                c.mul_(0.5)
                c = c.reshape(-1, 3)
                a.add_(-1)
        for i in range(x.shape[0]):
            a[:, ::2].fill_(-0.5)
        b = b
    else:
        v = a[0]
        c[0].add_(-1)
    c = a.t().contiguous().t()
    return a, b, c, u, v
