import torch
from torch import nn


class Rec(nn.Module):
    def __init__(self, kind="LSTM", states=0, packed=False, **kw):
        super().__init__()
        self.rnn = getattr(nn, kind)(5, 7, **kw)
        self.kind, self.states, self.batch_first, self.two = kind, states, kw.get("batch_first", False), kw.get("bidirectional", False)

    def forward(self, x, h):
        if self.states == 0:
            return self.rnn(x)
        if self.kind == "LSTM":
            return self.rnn(x, (h, h * 0.5))
        return self.rnn(x, h)


class Cell(nn.Module):
    def __init__(self, kind, **kw):
        super().__init__()
        self.cell = getattr(nn, kind)(5, 7, **kw)
        self.kind = kind

    def forward(self, x, h):
        if self.kind == "LSTMCell":
            return self.cell(x, (h, h * 2))
        return self.cell(x, h)


class Attn(nn.Module):
    def __init__(self, form="self", dim=12, heads=3, **kw):
        super().__init__()
        self.mha = nn.MultiheadAttention(dim, heads, **kw)
        self.form = form
        if kw.get("add_bias_kv"):
            nn.init.normal_(self.mha.bias_k)
            nn.init.normal_(self.mha.bias_v)

    def forward(self, q, k, v, mask):
        if self.form == "self":
            return self.mha(q, q, q)
        if self.form == "plain":
            return self.mha(q, k, v)
        if self.form == "noweights":
            return self.mha(q, k, v, need_weights=False)[0]
        if self.form == "each":
            return self.mha(q, k, v, average_attn_weights=False)
        if self.form == "mask":
            return self.mha(q, k, v, attn_mask=mask)
        if self.form == "padding":
            return self.mha(q, k, v, key_padding_mask=mask)
        if self.form == "causal":
            n = q.shape[0]
            m = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
            return self.mha(q, q, q, attn_mask=m, need_weights=False)[0]
        raise ValueError(self.form)


class Encoder(nn.Module):
    def __init__(self, **kw):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(12, 3, 24, **kw)

    def forward(self, x):
        return self.layer(x)


class Up(nn.Module):
    def __init__(self, **kw):
        super().__init__()
        self.up = nn.Upsample(**kw)

    def forward(self, x):
        return self.up(x)


class UpTo(nn.Module):
    def forward(self, x, y):
        return nn.functional.interpolate(x, size=y.shape[2:], mode="bilinear", align_corners=False)


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor([0.1, 0.2, 0.05]))
        self.register_buffer("zero", torch.tensor([0, 1, -2], dtype=torch.int32))
        self.weight = nn.Parameter(torch.randn(2, 3, 3, 3))

    def forward(self, x):
        y = torch.fake_quantize_per_channel_affine(x, self.scale, self.zero, 1, -4, 7)
        z = torch._convolution(x, self.weight, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, False, False)
        return torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 10), y, z


class PadPool(nn.Module):
    """Maxima over zeros that were padded: an optimiser must not take them for the pool's own padding."""

    def __init__(self):
        super().__init__()
        self.alone = nn.Sequential(nn.ZeroPad2d(1), nn.MaxPool2d(3, 2))
        self.more = nn.Sequential(nn.ConstantPad2d((1, 0, 1, 0), -0.5), nn.Dropout(), nn.MaxPool2d(3, 2, 1))
        self.ceil = nn.Sequential(nn.ZeroPad2d((0, 0, 0, 2)), nn.MaxPool2d(2, 2, ceil_mode=True))

    def forward(self, x):
        x = -x.abs()
        return self.alone(x), self.more(x), self.ceil(x), nn.functional.adaptive_max_pool2d(nn.functional.pad(x[..., :5], (1, 0)), (1, 2))


class AdaptTo(nn.Module):
    """Pools to the sizes of another tensor, of their own input, and to many regions."""

    def forward(self, x, y):
        size = y.shape[2:]
        top, at = nn.functional.adaptive_max_pool2d(x, size, return_indices=True)
        return (nn.functional.adaptive_avg_pool2d(x, size), nn.functional.adaptive_max_pool2d(x, (3, y.shape[3])), top, at,
                nn.functional.interpolate(x, size=size, mode="area"), nn.functional.adaptive_avg_pool1d(x[0], x.shape[3] // 2 + 1),
                nn.functional.adaptive_avg_pool2d(x, (None, 70)), nn.functional.adaptive_avg_pool3d(x, (2, *size)))


class SizeOfData(nn.Module):
    """Sizes that tensors hold."""

    def forward(self, x, n):
        most = n.max()
        rows = torch.arange(most)[None, :] < n[:, None]
        return rows, torch.zeros(most, 3) + x[0, 0, 0, 0], nn.functional.interpolate(x, size=(n.sum(), 4)), nn.functional.adaptive_avg_pool2d(x, (most, 2))


class WidePadding(nn.Module):
    """Dilated windows that ceil_mode makes reach over the end by more than their size."""

    def forward(self, x):
        y = nn.functional.max_pool2d(x, 3, None, 1, 2, ceil_mode=True)
        return y, nn.functional.max_pool2d((x * 50).to(torch.int8).float(), 3, 3, 1, 2, ceil_mode=True)


def half_numbers(x):
    """What is rounded to half precision before it is cut off."""
    h = x.half()
    return (h * 10).int(), (h * 7 - h * 3).long()
