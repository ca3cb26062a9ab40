# Swin transformers of films: windows of frames and pixels, shifted in every second block.
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, kinetics as _kinetics
from torchvision.models.swin_transformer import PatchMerging, SwinTransformerBlock


def _padded(x, sizes, parts, last=()):
    # Sizes filled up to multiples of parts; last are the pads of the axes behind.
    t, h, w = [(k - n % k) % k for n, k in zip(sizes, parts)]
    return _F.pad(x, (*last, 0, w, 0, h, 0, t))


def _windows(x, counts, window):
    # [N, T, H, W, C] to [N · windows, places of a window, C].
    (t, h, w), (wt, wh, ww), c = counts, window, x.shape[-1]
    x = x.view(-1, t, wt, h, wh, w, ww, c).permute(0, 1, 3, 5, 2, 4, 6, 7)
    return x.reshape(-1, wt * wh * ww, c)


def shifted_window_attention_3d(input, qkv_weight, proj_weight, relative_position_bias, window_size, num_heads, shift_size, attention_dropout=0.0,
                                dropout=0.0, qkv_bias=None, proj_bias=None, training=True):
    b, t, h, w, c = input.shape
    x = _padded(input, (t, h, w), window_size, (0, 0))
    size = x.shape[1:4]
    shifted = sum(shift_size) > 0
    if shifted:
        x = _torch.roll(x, [-n for n in shift_size], (1, 2, 3))
    counts = [n // k for n, k in zip(size, window_size)]
    windows, area = counts[0] * counts[1] * counts[2], window_size[0] * window_size[1] * window_size[2]
    x = _windows(x, counts, window_size)
    q, k, v = _F.linear(x, qkv_weight, qkv_bias).reshape(x.size(0), area, 3, num_heads, c // num_heads).permute(2, 0, 3, 1, 4)
    scores = (q * (c // num_heads) ** -0.5).matmul(k.transpose(-2, -1)) + relative_position_bias
    if shifted:  # what the shift brought round the edge is no neighbour
        past = [(_torch.arange(n, device=x.device) >= n - s).long() for n, s in zip(size, shift_size)]
        part = 4 * past[0][:, None, None] + 2 * past[1][:, None] + past[2]
        part = _windows(part[None, ..., None], counts, window_size)[..., 0]
        mask = x.new_zeros(windows, area, area).masked_fill(part.unsqueeze(1) != part.unsqueeze(2), -100.0)
        scores = scores.view(x.size(0) // windows, windows, num_heads, area, area) + mask.unsqueeze(1).unsqueeze(0)
        scores = scores.view(-1, num_heads, area, area)
    scores = _F.dropout(_F.softmax(scores, dim=-1), p=attention_dropout, training=training)
    x = scores.matmul(v).transpose(1, 2).reshape(x.size(0), area, c)
    x = _F.dropout(_F.linear(x, proj_weight, proj_bias), p=dropout, training=training)
    x = x.view(b, *counts, *window_size, c).permute(0, 1, 4, 2, 5, 3, 6, 7).reshape(b, *size, c)
    if shifted:
        x = _torch.roll(x, list(shift_size), (1, 2, 3))
    return x[:, :t, :h, :w, :].contiguous()


class ShiftedWindowAttention3d(_nn.Module):
    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__()
        if len(window_size) != 3 or len(shift_size) != 3:
            raise ValueError('window_size and shift_size must be of length 2')
        self.window_size = window_size
        self.shift_size = shift_size
        self.num_heads = num_heads
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.qkv = _nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = _nn.Linear(dim, dim, bias=proj_bias)
        self.define_relative_position_bias_table()
        self.define_relative_position_index()

    def define_relative_position_bias_table(self):
        t, h, w = [2 * n - 1 for n in self.window_size]
        self.relative_position_bias_table = _nn.Parameter(_torch.zeros(t * h * w, self.num_heads))
        _nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def define_relative_position_index(self):
        # For each pair of places of a window the row of the table: from their distance.
        t, h, w = self.window_size
        index = 0
        for n, at in zip((t, h, w), _torch.meshgrid(_torch.arange(t), _torch.arange(h), _torch.arange(w), indexing='ij')):
            at = at.flatten()
            index = index * (2 * n - 1) + (at[:, None] - at + n - 1)
        self.register_buffer('relative_position_index', index)

    def get_relative_position_bias(self, window_size):
        area = window_size[0] * window_size[1] * window_size[2]
        bias = self.relative_position_bias_table[self.relative_position_index[:area, :area].flatten()]
        return bias.view(area, area, -1).permute(2, 0, 1).contiguous().unsqueeze(0)

    def forward(self, x):
        # A window is no larger than the film, and then it is not shifted.
        small = [n <= k for n, k in zip(x.shape[1:4], self.window_size)]
        window = [n if s else k for n, k, s in zip(x.shape[1:4], self.window_size, small)]
        shift = [0 if s else n for n, s in zip(self.shift_size, small)]
        return shifted_window_attention_3d(x, self.qkv.weight, self.proj.weight, self.get_relative_position_bias(window), window, self.num_heads, shift,
                                           self.attention_dropout, self.dropout, self.qkv.bias, self.proj.bias, training=self.training)


class PatchEmbed3d(_nn.Module):
    def __init__(self, patch_size, in_channels=3, embed_dim=96, norm_layer=None):
        super().__init__()
        self.tuple_patch_size = (patch_size[0], patch_size[1], patch_size[2])
        self.proj = _nn.Conv3d(in_channels, embed_dim, self.tuple_patch_size, stride=self.tuple_patch_size)
        self.norm = _nn.Identity() if norm_layer is None else norm_layer(embed_dim)

    def forward(self, x):
        _, _, t, h, w = x.size()
        return self.norm(self.proj(_padded(x, (t, h, w), self.tuple_patch_size)).permute(0, 2, 3, 4, 1))


class SwinTransformer3d(_nn.Module):
    def __init__(self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0,
                 stochastic_depth_prob=0.1, num_classes=400, norm_layer=None, block=None, downsample_layer=PatchMerging, patch_embed=None):
        super().__init__()
        self.num_classes = num_classes
        block = block or _partial(SwinTransformerBlock, attn_layer=ShiftedWindowAttention3d)
        norm_layer = norm_layer or _partial(_nn.LayerNorm, eps=1e-5)
        self.patch_embed = (patch_embed or PatchEmbed3d)(patch_size=patch_size, embed_dim=embed_dim, norm_layer=norm_layer)
        self.pos_drop = _nn.Dropout(p=dropout)
        layers, number, last = [], 0, sum(depths) - 1
        for i, depth in enumerate(depths):
            dim, stage = embed_dim << i, []
            for j in range(depth):
                stage.append(block(dim, num_heads[i], window_size=window_size, shift_size=[w // 2 if j % 2 else 0 for w in window_size],
                                   mlp_ratio=mlp_ratio, dropout=dropout, attention_dropout=attention_dropout,
                                   stochastic_depth_prob=stochastic_depth_prob * float(number) / last, norm_layer=norm_layer,
                                   attn_layer=ShiftedWindowAttention3d))
                number += 1
            layers.append(_nn.Sequential(*stage))
            if i < len(depths) - 1:
                layers.append(downsample_layer(dim, norm_layer))
        self.features = _nn.Sequential(*layers)
        self.num_features = embed_dim << len(depths) - 1
        self.norm = norm_layer(self.num_features)
        self.avgpool = _nn.AdaptiveAvgPool3d(1)
        self.head = _nn.Linear(self.num_features, num_classes)
        for m in self.modules():
            if isinstance(m, _nn.Linear):
                _nn.init.trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    _nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.norm(self.features(self.pos_drop(self.patch_embed(x))))
        return self.head(_torch.flatten(self.avgpool(x.permute(0, 4, 1, 2, 3)), 1))


def _swin(name, cls, embed_dim, blocks, heads):
    def make(**kwargs):
        return SwinTransformer3d(patch_size=[2, 4, 4], embed_dim=embed_dim, depths=[2, 2, blocks, 2], num_heads=[heads << i for i in range(4)],
                                 window_size=[8, 7, 7], stochastic_depth_prob=0.1, **kwargs)
    return _builder(name, cls, make, legacy='KINETICS400_V1', classes=400)


_PICTURES = {'crop_size': (224, 224), 'resize_size': (256,), 'mean': (0.485, 0.456, 0.406), 'std': (0.229, 0.224, 0.225)}
Swin3D_T_Weights, Swin3D_S_Weights = _kinetics('Swin3D_T_Weights', **_PICTURES), _kinetics('Swin3D_S_Weights', **_PICTURES)
Swin3D_B_Weights = _kinetics('Swin3D_B_Weights', ('KINETICS400_V1', 'KINETICS400_IMAGENET22K_V1'), **_PICTURES)
swin3d_t = _swin('swin3d_t', Swin3D_T_Weights, 96, 6, 3)
swin3d_s = _swin('swin3d_s', Swin3D_S_Weights, 96, 18, 3)
swin3d_b = _swin('swin3d_b', Swin3D_B_Weights, 128, 18, 4)
