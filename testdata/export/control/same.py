# Functions that give the tensor itself, a view or a copy, as strides, sizes and flags decide.
import torch
import torch.nn.functional as F
from torch import nn


def same_contiguous(x):
    x = x.clone()
    y = x.contiguous()
    y.add_(1)
    z = x.t().contiguous()
    z.mul_(2)
    return x, y, z


def same_reshape(x):
    x = x.clone()
    y = x.reshape(-1)
    y.add_(1)
    z = x.t().reshape(-1)
    z.mul_(2)
    return x, y, z


def same_ravel(x):
    x = x.clone()
    z = x.t().ravel()
    x.mul_(2)
    w = x[:, 1:].ravel()
    w.add_(1)
    return x, z, w


def same_flatten(x):
    x = x.clone().unsqueeze(1)
    z = x.transpose(0, 2).flatten(1)
    z.mul_(2)
    w = x[:, :, ::2].flatten(0, 1)
    w.add_(1)
    return x, z, w


def same_heads(x):
    q = (x[:, :2] * 3).reshape(-1, 1, 2, 1)
    h = q.transpose(1, 2).reshape(-1, 1, 1)
    h.mul_(2)
    k = q.permute(2, 1, 0, 3).reshape(2, -1)
    k.sub_(1)
    return q, h, k


def same_split_heads(x):
    x = torch.stack([x, x * 2, x - 1])
    y = x.transpose(0, 1)
    a = y.reshape(y.shape[0] * 3, 3)
    a.add_(1)
    b = y.reshape(y.shape[0], 9)
    b.mul_(3)
    return x, a, b


def same_elementwise(x):
    y = x.t() * 2
    z = y.contiguous()
    z.add_(1)
    return y, z


def same_elementwise_view(x):
    y = torch.relu(x.t())
    z = y.reshape(-1)
    z.add_(1)
    y[0] = 5
    return y, z


def same_clone(x):
    y = x.t().clone()
    z = y.contiguous()
    z.add_(1)
    w = y.t().reshape(-1)
    w.mul_(2)
    return y, z, w


def same_dropout(x):
    x = x.clone()
    y = F.dropout(x, 0.5, training=False)
    y.add_(1)
    z = torch.dropout(x, 0.0, True)
    z[0] = 3
    w = F.dropout(x, 0.3, False, True)
    w.mul_(2)
    return x, y, z, w


def same_set_data(x):
    a = x * 1
    b = x * 2
    a.data = b
    a.add_(1)
    b[0] = 7
    return a, b


def same_set_data_view(x):
    a = x * 1
    b = x * 2
    a.data = b[:, 1:]
    a.mul_(2)
    return a, b


def same_expand_contiguous(x):
    x = x[:1] * 1
    y = x.expand(1, 3).contiguous()
    y.add_(1)
    z = x.expand(2, 3).contiguous()
    z.add_(2)
    return x, y, z


def same_slice_contiguous(x):
    x = x * 1
    y = x[:, :2].contiguous()
    y.add_(1)
    z = x[:1].contiguous()
    z.mul_(3)
    w = x[1:].contiguous()
    w.sub_(1)
    return x, y, z, w


def same_in_branch(x):
    x = x * 1
    z = x.t().contiguous()
    if x.sum() > 0:
        z.mul_(2)
    else:
        x.add_(3)
    return x, z


def same_in_loop(x):
    x = x * 1
    for i in range(x.shape[0]):
        z = x.t().contiguous()
        z[0].add_(i + 1)
        x = x + z.sum()
    return x, z


def same_view_of_maybe(x):
    x = x * 1
    z = x.t().contiguous()
    v = z[1:].view(-1)
    v.mul_(2)
    z[0] = 4
    return x, z, v


def same_type(x):
    x = x * 1
    y = x.type(torch.float32)
    y.add_(1)
    z = x.type_as(y)
    z.mul_(2)
    w = x.cpu()
    w.sub_(3)
    v = torch.as_tensor(x)
    v[0] = 9
    return x, y, z, w, v


def same_conj(x):
    x = x * 1
    y = torch.real(x)
    y.add_(1)
    z = x.conj()
    z.mul_(2)
    w = torch.positive(x)
    w.add_(1)
    return x, y, z, w


def same_squeeze(x):
    x = x * 1
    y = x.squeeze()
    y.add_(1)
    z = torch.atleast_3d(x)
    z.mul_(2)
    return x, y, z


def same_broadcast(x):
    x = x * 1
    y = x.expand_as(x)
    y.add_(1)
    z = torch.broadcast_to(x, x.shape)
    z.mul_(2)
    return x, y, z


def same_sum_to(x):
    x = x * 1
    y = x.sum_to_size(x.shape)
    y.add_(1)
    return x, y


def same_pad(x):
    x = x * 1
    y = F.pad(x, (0, 0))
    y.add_(1)
    return x, y


def same_where(x):
    x = x * 1
    y = x.masked_fill(x > 0, 0)
    y.add_(1)
    z = torch.cat([x])
    z.mul_(2)
    w = x.repeat(1, 1)
    w.add_(4)
    return x, y, z, w


def same_identity(x):
    x = x * 1
    y = nn.Identity()(x)
    y.add_(1)
    z = nn.Flatten(1)(x)
    z.mul_(2)
    w = nn.Dropout(0.5).eval()(x)
    w.sub_(1)
    return x, y, z, w


def same_sort(x):
    x = x[:, :1] * 1
    y = x.sort(1)[0]
    y.add_(1)
    z = x.cumsum(1)
    z.mul_(2)
    w = x.flip(1)
    w.add_(4)
    return x, y, z, w


def same_movedim(x):
    x = x * 1
    y = x.movedim(0, 0)
    y.add_(1)
    z = x.swapdims(0, 1).unflatten(0, (3, 1))
    z.mul_(2)
    return x, y, z


def same_unfold(x):
    x = x * 1
    y = x.unfold(1, 1, 1)
    y.add_(1)
    z = torch.narrow(x, 0, 0, 1)
    z.mul_(2)
    w = x.view_as(x)
    w.sub_(1)
    return x, y, z, w


def same_tensor_split(x):
    x = x * 1
    for p in torch.tensor_split(x, 3, dim=1):
        p.add_(1)
    a, = x.chunk(1)
    a.mul_(2)
    b, = x.split(3, 1)
    b.sub_(1)
    return x
