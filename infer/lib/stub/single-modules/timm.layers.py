# Layers that files take of timm, without what is only about numbers: what a version calls otherwise is taken as keywords.
import collections.abc as _abc
import itertools as _itertools
import torch as _torch
from torch import nn as _nn
from torch.nn.init import trunc_normal_


def to_ntuple(n):
    def parse(x):
        if isinstance(x, _abc.Iterable) and not isinstance(x, str):
            return tuple(x)
        return tuple(_itertools.repeat(x, n))
    return parse


to_1tuple, to_2tuple, to_3tuple, to_4tuple = to_ntuple(1), to_ntuple(2), to_ntuple(3), to_ntuple(4)


def trunc_normal_tf_(tensor, mean=0., std=1., a=-2., b=2.):
    return trunc_normal_(tensor, mean, std, a, b)


def lecun_normal_(tensor):
    return trunc_normal_(tensor)


def make_divisible(v, divisor=8, min_value=None, round_limit=.9):
    least = min_value or divisor
    n = max(least, int(v + divisor / 2) // divisor * divisor)
    return n + divisor if n < round_limit * v else n


def drop_path(x, drop_prob=0., training=False, scale_by_keep=True):
    if drop_prob == 0. or not training:
        return x
    kept = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(1 - drop_prob)
    return x * kept


class DropPath(_nn.Module):
    def __init__(self, drop_prob=0., scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)


class LayerScale(_nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False, **others):
        super().__init__()
        self.inplace = inplace
        self.gamma = _nn.Parameter(init_values * _torch.ones(dim))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class LayerNorm2d(_nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True, **others):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)

    def forward(self, x):
        x = _nn.functional.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class Mlp(_nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=_nn.GELU, norm_layer=None, bias=True, drop=0., use_conv=False, **others):
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        bias, drop = to_2tuple(bias), to_2tuple(drop)

        def linear(n, m, bias):
            return _nn.Conv2d(n, m, 1, bias=bias) if use_conv else _nn.Linear(n, m, bias=bias)
        self.fc1 = linear(in_features, hidden_features, bias[0])
        self.act = act_layer()
        self.drop1 = _nn.Dropout(drop[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else _nn.Identity()
        self.fc2 = linear(hidden_features, out_features, bias[1])
        self.drop2 = _nn.Dropout(drop[1])

    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))


class PatchEmbed(_nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768, norm_layer=None, flatten=True, output_fmt=None, bias=True,
                 strict_img_size=True, dynamic_img_pad=False, **others):
        super().__init__()
        self.patch_size = to_2tuple(patch_size)
        self.img_size = self.grid_size = self.num_patches = None
        if img_size is not None:
            self.img_size = to_2tuple(img_size)
            self.grid_size = tuple(s // p for s, p in zip(self.img_size, self.patch_size))
            self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.flatten = flatten
        self.output_fmt = output_fmt if output_fmt is None else str(output_fmt)
        self.strict_img_size = strict_img_size
        self.dynamic_img_pad = dynamic_img_pad
        self.proj = _nn.Conv2d(in_chans, embed_dim, self.patch_size, self.patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else _nn.Identity()

    def forward(self, x):
        b, c, h, w = x.shape
        if self.img_size is not None and self.strict_img_size:
            assert h == self.img_size[0], f"Input height ({h}) doesn't match model ({self.img_size[0]})."
            assert w == self.img_size[1], f"Input width ({w}) doesn't match model ({self.img_size[1]})."
        if self.dynamic_img_pad:
            p, q = self.patch_size
            x = _nn.functional.pad(x, (0, (q - w % q) % q, 0, (p - h % p) % p))
        x = self.proj(x)
        if self.output_fmt is None:
            if self.flatten:
                x = x.flatten(2).transpose(1, 2)
        elif self.output_fmt != 'NCHW':
            x = {'NHWC': lambda: x.permute(0, 2, 3, 1), 'NLC': lambda: x.flatten(2).transpose(1, 2), 'NCL': lambda: x.flatten(2)}[self.output_fmt]()
        return self.norm(x)
