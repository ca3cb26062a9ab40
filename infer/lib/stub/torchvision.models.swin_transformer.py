# Swin transformers, versions 1 and 2: attention in windows that are shifted in every second block.
import math as _math
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.ops.misc import MLP, Permute
from torchvision.ops.stochastic_depth import StochasticDepth


def _quarters(x):
    # The four pixels of each 2×2 square side by side: [..., H, W, C] to [..., ⌈H/2⌉, ⌈W/2⌉, 4·C].
    h, w, _ = x.shape[-3:]
    x = _F.pad(x, (0, 0, 0, w % 2, 0, h % 2))
    return _torch.cat([x[..., i::2, j::2, :] for j in (0, 1) for i in (0, 1)], -1)


class PatchMerging(_nn.Module):
    def __init__(self, dim, norm_layer=_nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = _nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def forward(self, x):
        return self.reduction(self.norm(_quarters(x)))


class PatchMergingV2(_nn.Module):
    def __init__(self, dim, norm_layer=_nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = _nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def forward(self, x):
        return self.norm(self.reduction(_quarters(x)))


def shifted_window_attention(input, qkv_weight, proj_weight, relative_position_bias, window_size, num_heads, shift_size, attention_dropout=0.0,
                             dropout=0.0, qkv_bias=None, proj_bias=None, logit_scale=None, training=True):
    b, h, w, c = input.shape
    wh, ww = window_size
    x = _F.pad(input, (0, 0, 0, (ww - w % ww) % ww, 0, (wh - h % wh) % wh))
    _, ph, pw, _ = x.shape
    sh, sw = shift_size
    if wh >= ph:  #: 160
        sh = 0
    if ww >= pw:  #: 162
        sw = 0
    if sh + sw > 0:  #: 166
        x = _torch.roll(x, (-sh, -sw), (1, 2))
    rows, columns, area = ph // wh, pw // ww, wh * ww
    x = x.view(b, rows, wh, columns, ww, c).permute(0, 1, 3, 2, 4, 5).reshape(b * (rows * columns), area, c)
    if logit_scale is not None and qkv_bias is not None:  #: 175
        qkv_bias = qkv_bias.clone()
        third = qkv_bias.numel() // 3
        qkv_bias[third:2 * third].zero_()  # keys have no bias
    q, k, v = _F.linear(x, qkv_weight, qkv_bias).reshape(x.size(0), area, 3, num_heads, c // num_heads).permute(2, 0, 3, 1, 4)
    if logit_scale is not None:  #: 182
        scores = _F.normalize(q, dim=-1) @ _F.normalize(k, dim=-1).transpose(-2, -1) * logit_scale.clamp(max=_math.log(100.0)).exp()
    else:
        scores = (q * (c // num_heads) ** -0.5).matmul(k.transpose(-2, -1))
    scores = scores + relative_position_bias
    if sh + sw > 0:  #: 193
        # What the shift brought round the edge is no neighbour.
        part = x.new_zeros((ph, pw))
        count = 0
        for top, bottom in ((0, -wh), (-wh, -sh), (-sh, None)):  #: 199
            for left, right in ((0, -ww), (-ww, -sw), (-sw, None)):  #: 200
                part[top:bottom, left:right] = count
                count += 1
        part = part.view(rows, wh, columns, ww).permute(0, 2, 1, 3).reshape(rows * columns, area)
        apart = part.unsqueeze(1) != part.unsqueeze(2)
        mask = x.new_zeros(rows * columns, area, area).masked_fill(apart, -100.0)
        scores = scores.view(x.size(0) // (rows * columns), rows * columns, num_heads, area, area) + mask.unsqueeze(1).unsqueeze(0)
        scores = scores.view(-1, num_heads, area, area)
    scores = _F.dropout(_F.softmax(scores, dim=-1), p=attention_dropout, training=training)
    x = scores.matmul(v).transpose(1, 2).reshape(x.size(0), area, c)
    x = _F.dropout(_F.linear(x, proj_weight, proj_bias), p=dropout, training=training)
    x = x.view(b, rows, columns, wh, ww, c).permute(0, 1, 3, 2, 4, 5).reshape(b, ph, pw, c)
    if sh + sw > 0:  #: 223
        x = _torch.roll(x, (sh, sw), (1, 2))
    return x[:, :h, :w, :].contiguous()


class ShiftedWindowAttention(_nn.Module):
    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__()
        if len(window_size) != 2 or len(shift_size) != 2:
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
        h, w = self.window_size
        self.relative_position_bias_table = _nn.Parameter(_torch.zeros((2 * h - 1) * (2 * w - 1), self.num_heads))
        _nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def define_relative_position_index(self):
        # For each pair of pixels of a window the row of the table: from their distance.
        h, w = self.window_size
        y, x = _torch.arange(h).repeat_interleave(w), _torch.arange(w).repeat(h)
        index = (y[:, None] - y + h - 1) * (2 * w - 1) + (x[:, None] - x + w - 1)
        self.register_buffer('relative_position_index', index.flatten())

    def _bias(self, table):
        area = self.window_size[0] * self.window_size[1]
        return table[self.relative_position_index].view(area, area, -1).permute(2, 0, 1).contiguous().unsqueeze(0)

    def get_relative_position_bias(self):
        return self._bias(self.relative_position_bias_table)

    def _attend(self, x, **options):
        return shifted_window_attention(x, self.qkv.weight, self.proj.weight, self.get_relative_position_bias(), self.window_size, self.num_heads,
                                        self.shift_size, self.attention_dropout, self.dropout, self.qkv.bias, self.proj.bias,
                                        training=self.training, **options)

    def forward(self, x):
        return self._attend(x)


class ShiftedWindowAttentionV2(ShiftedWindowAttention):
    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__(dim, window_size, shift_size, num_heads, qkv_bias, proj_bias, attention_dropout, dropout)
        self.logit_scale = _nn.Parameter(_torch.log(10 * _torch.ones((num_heads, 1, 1))))
        self.cpb_mlp = _nn.Sequential(_nn.Linear(2, 512), _nn.ReLU(inplace=True), _nn.Linear(512, num_heads, bias=False))

    def define_relative_position_bias_table(self):
        # Distances from -8 to 8 on a logarithmic scale, from which cpb_mlp makes the table.
        h, w = self.window_size
        y = _torch.arange(1 - h, h, dtype=_torch.float32) / (h - 1)
        x = _torch.arange(1 - w, w, dtype=_torch.float32) / (w - 1)
        far = 8 * _torch.stack([y[:, None].expand(-1, 2 * w - 1), x.expand(2 * h - 1, -1)], -1).unsqueeze(0)
        self.register_buffer('relative_coords_table', _torch.sign(far) * _torch.log2(far.abs() + 1.0) / 3.0)

    def get_relative_position_bias(self):
        return 16 * _torch.sigmoid(self._bias(self.cpb_mlp(self.relative_coords_table).view(-1, self.num_heads)))

    def forward(self, x):
        return self._attend(x, logit_scale=self.logit_scale)


class SwinTransformerBlock(_nn.Module):
    def __init__(self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.0,
                 norm_layer=_nn.LayerNorm, attn_layer=ShiftedWindowAttention):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = attn_layer(dim, window_size, shift_size, num_heads, attention_dropout=attention_dropout, dropout=dropout)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, 'row')
        self.norm2 = norm_layer(dim)
        self.mlp = MLP(dim, [int(dim * mlp_ratio), dim], activation_layer=_nn.GELU, inplace=None, dropout=dropout)

    def forward(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))


class SwinTransformerBlockV2(SwinTransformerBlock):
    def __init__(self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.0,
                 norm_layer=_nn.LayerNorm, attn_layer=ShiftedWindowAttentionV2):
        super().__init__(dim, num_heads, window_size, shift_size, mlp_ratio, dropout, attention_dropout, stochastic_depth_prob, norm_layer, attn_layer)

    def forward(self, x):
        x = x + self.stochastic_depth(self.norm1(self.attn(x)))
        return x + self.stochastic_depth(self.norm2(self.mlp(x)))


class SwinTransformer(_nn.Module):
    def __init__(self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0,
                 stochastic_depth_prob=0.1, num_classes=1000, norm_layer=None, block=None, downsample_layer=PatchMerging):
        super().__init__()
        self.num_classes = num_classes
        block, norm_layer = block or SwinTransformerBlock, norm_layer or _partial(_nn.LayerNorm, eps=1e-5)
        patch = (patch_size[0], patch_size[1])
        layers = [_nn.Sequential(_nn.Conv2d(3, embed_dim, patch, patch), Permute([0, 2, 3, 1]), norm_layer(embed_dim))]
        dim, number, last = embed_dim, 0, sum(depths) - 1
        for i, depth in enumerate(depths):
            if i > 0:
                layers.append(downsample_layer(dim, norm_layer))
                dim *= 2
            stage = []
            for j in range(depth):
                stage.append(block(dim, num_heads[i], window_size=window_size, shift_size=[w // 2 if j % 2 else 0 for w in window_size],
                                   mlp_ratio=mlp_ratio, dropout=dropout, attention_dropout=attention_dropout,
                                   stochastic_depth_prob=stochastic_depth_prob * float(number) / last, norm_layer=norm_layer))
                number += 1
            layers.append(_nn.Sequential(*stage))
        self.features = _nn.Sequential(*layers)
        self.norm = norm_layer(dim)
        self.permute = Permute([0, 3, 1, 2])
        self.avgpool = _nn.AdaptiveAvgPool2d(1)
        self.flatten = _nn.Flatten(1)
        self.head = _nn.Linear(dim, num_classes)

    def forward(self, x):
        return self.head(self.flatten(self.avgpool(self.permute(self.norm(self.features(x))))))


def _make(embed_dim, blocks, heads, window, depth_prob, **version):
    def make(**kwargs):
        return SwinTransformer(patch_size=[4, 4], embed_dim=embed_dim, depths=[2, 2, blocks, 2], num_heads=[heads << i for i in range(4)],
                               window_size=[window, window], stochastic_depth_prob=depth_prob, **version, **kwargs)
    return make


_V2 = {'block': SwinTransformerBlockV2, 'downsample_layer': PatchMergingV2}
Swin_T_Weights = _weights('Swin_T_Weights', IMAGENET1K_V1=224)
Swin_S_Weights = _weights('Swin_S_Weights', IMAGENET1K_V1=224)
Swin_B_Weights = _weights('Swin_B_Weights', IMAGENET1K_V1=224)
Swin_V2_T_Weights = _weights('Swin_V2_T_Weights', IMAGENET1K_V1=256)
Swin_V2_S_Weights = _weights('Swin_V2_S_Weights', IMAGENET1K_V1=256)
Swin_V2_B_Weights = _weights('Swin_V2_B_Weights', IMAGENET1K_V1=256)
swin_t = _builder('swin_t', Swin_T_Weights, _make(96, 6, 3, 7, 0.2))
swin_s = _builder('swin_s', Swin_S_Weights, _make(96, 18, 3, 7, 0.3))
swin_b = _builder('swin_b', Swin_B_Weights, _make(128, 18, 4, 7, 0.5))
swin_v2_t = _builder('swin_v2_t', Swin_V2_T_Weights, _make(96, 6, 3, 8, 0.2, **_V2))
swin_v2_s = _builder('swin_v2_s', Swin_V2_S_Weights, _make(96, 18, 3, 8, 0.3, **_V2))
swin_v2_b = _builder('swin_v2_b', Swin_V2_B_Weights, _make(128, 18, 4, 8, 0.5, **_V2))
