# Multiscale vision transformers of films: attention whose queries, keys and values are pooled.
import math as _math
from dataclasses import dataclass as _dataclass
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, kinetics as _kinetics
from torchvision.ops.misc import MLP
from torchvision.ops.stochastic_depth import StochasticDepth


@_dataclass
class MSBlockConfig:
    num_heads: int
    input_channels: int
    output_channels: int
    kernel_q: list
    kernel_kv: list
    stride_q: list
    stride_kv: list


class Pool(_nn.Module):
    # Pools all places but the first, which stands for the class.
    def __init__(self, pool, norm, activation=None, norm_before_pool=False):
        super().__init__()
        self.pool = pool
        layers = [m for m in (norm, activation) if m is not None]
        self.norm_act = _nn.Sequential(*layers) if layers else None
        self.norm_before_pool = norm_before_pool

    def forward(self, x, thw):
        flat = x.dim() == 3
        if flat:
            x = x.unsqueeze(1)
        elif x.dim() != 4:
            raise ValueError(f'Unsupported input dimension {x.shape}')
        token, x = _torch.tensor_split(x, indices=(1,), dim=2)
        x = x.transpose(2, 3)
        b, n, c = x.shape[:3]
        x = x.reshape((b * n, c) + thw).contiguous()
        if self.norm_before_pool and self.norm_act is not None:
            x = self.norm_act(x)
        x = self.pool(x)
        size = tuple(x.shape[2:])
        x = _torch.cat((token, x.reshape(b, n, c, -1).transpose(2, 3)), dim=2)
        if not self.norm_before_pool and self.norm_act is not None:
            x = self.norm_act(x)
        return x.squeeze(1) if flat else x, size


def _distances(table, q, k):
    # Of each query and key of an axis the row of the table: from their distance.
    n = int(2 * max(q, k) - 1)
    if table.shape[0] != n:
        table = _F.interpolate(table.permute(1, 0).unsqueeze(0), size=n, mode='linear').squeeze(0).permute(1, 0)
    apart = _torch.arange(q)[:, None] * max(k / q, 1.0) - (_torch.arange(k)[None, :] + (1.0 - k)) * max(q / k, 1.0)
    return table[apart.long()]


def _add_rel_pos(attn, q, q_thw, k_thw, rel_pos_h, rel_pos_w, rel_pos_t):
    (qt, qh, qw), (kt, kh, kw) = q_thw, k_thw
    h, w, t = _distances(rel_pos_h, qh, kh), _distances(rel_pos_w, qw, kw), _distances(rel_pos_t, qt, kt)
    b, heads, _, dim = q.shape
    places = q[:, :, 1:].reshape(b, heads, qt, qh, qw, dim)
    by_h, by_w = _torch.einsum('bythwc,hkc->bythwk', places, h), _torch.einsum('bythwc,wkc->bythwk', places, w)
    by_t = _torch.einsum('bythwc,tkc->bythwk', places, t)
    bias = by_h[..., None, :, None] + by_w[..., None, None, :] + by_t[..., :, None, None]
    attn[:, :, 1:, 1:] += bias.reshape(b, heads, qt * qh * qw, kt * kh * kw)
    return attn


class MultiscaleAttention(_nn.Module):
    def __init__(self, input_size, embed_dim, output_dim, num_heads, kernel_q, kernel_kv, stride_q, stride_kv, residual_pool, residual_with_cls_embed,
                 rel_pos_embed, dropout=0.0, norm_layer=_nn.LayerNorm):
        super().__init__()
        self.embed_dim = embed_dim
        self.output_dim = output_dim
        self.num_heads = num_heads
        self.head_dim = output_dim // num_heads
        self.scaler = 1.0 / _math.sqrt(self.head_dim)
        self.residual_pool = residual_pool
        self.residual_with_cls_embed = residual_with_cls_embed
        self.qkv = _nn.Linear(embed_dim, 3 * output_dim)
        self.project = _nn.Sequential(_nn.Linear(output_dim, output_dim), *([_nn.Dropout(dropout, inplace=True)] if dropout > 0.0 else []))
        self.pool_q, self.pool_k, self.pool_v = None, None, None
        if _math.prod(kernel_q) > 1 or _math.prod(stride_q) > 1:
            self.pool_q = self._pool(kernel_q, stride_q, norm_layer)
        if _math.prod(kernel_kv) > 1 or _math.prod(stride_kv) > 1:
            self.pool_k = self._pool(kernel_kv, stride_kv, norm_layer)
            self.pool_v = self._pool(kernel_kv, stride_kv, norm_layer)
        self.rel_pos_h, self.rel_pos_w, self.rel_pos_t = None, None, None
        if rel_pos_embed:
            side = max(input_size[1:])
            most = max(side // s[1] if len(s) > 0 else side for s in (stride_q, stride_kv))
            for name, n in (('h', most), ('w', most), ('t', input_size[0])):
                table = _nn.Parameter(_torch.zeros(2 * n - 1, self.head_dim))
                _nn.init.trunc_normal_(table, std=0.02)
                setattr(self, 'rel_pos_' + name, table)

    def _pool(self, kernel, stride, norm_layer):
        n = self.head_dim
        return Pool(_nn.Conv3d(n, n, kernel, stride=stride, padding=[int(k // 2) for k in kernel], groups=n, bias=False), norm_layer(n))

    def forward(self, x, thw):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, self.head_dim).transpose(1, 3).unbind(dim=2)
        k, k_thw = (k, thw) if self.pool_k is None else self.pool_k(k, thw)
        if self.pool_v is not None:
            v = self.pool_v(v, thw)[0]
        if self.pool_q is not None:
            q, thw = self.pool_q(q, thw)
        scores = _torch.matmul(self.scaler * q, k.transpose(2, 3))
        if self.rel_pos_h is not None:
            scores = _add_rel_pos(scores, q, thw, k_thw, self.rel_pos_h, self.rel_pos_w, self.rel_pos_t)
        x = _torch.matmul(scores.softmax(dim=-1), v)
        if self.residual_pool and self.residual_with_cls_embed:
            x.add_(q)
        elif self.residual_pool:
            x[:, :, 1:, :] += q[:, :, 1:, :]
        return self.project(x.transpose(1, 2).reshape(b, -1, self.output_dim)), thw


class MultiscaleBlock(_nn.Module):
    def __init__(self, input_size, cnf, residual_pool, residual_with_cls_embed, rel_pos_embed, proj_after_attn, dropout=0.0, stochastic_depth_prob=0.0,
                 norm_layer=_nn.LayerNorm):
        super().__init__()
        self.proj_after_attn = proj_after_attn
        self.pool_skip = None
        if _math.prod(cnf.stride_q) > 1:
            kernel = [s + 1 if s > 1 else s for s in cnf.stride_q]
            self.pool_skip = Pool(_nn.MaxPool3d(kernel, stride=cnf.stride_q, padding=[int(k // 2) for k in kernel]), None)
        width = cnf.output_channels if proj_after_attn else cnf.input_channels
        self.norm1 = norm_layer(cnf.input_channels)
        self.norm2 = norm_layer(width)
        self.needs_transposal = isinstance(self.norm1, _nn.BatchNorm1d)
        self.attn = MultiscaleAttention(input_size, cnf.input_channels, width, cnf.num_heads, cnf.kernel_q, cnf.kernel_kv, cnf.stride_q, cnf.stride_kv,
                                        residual_pool, residual_with_cls_embed, rel_pos_embed, dropout, norm_layer)
        self.mlp = MLP(width, [4 * width, cnf.output_channels], activation_layer=_nn.GELU, dropout=dropout, inplace=None)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, 'row')
        self.project = None
        if cnf.input_channels != cnf.output_channels:
            self.project = _nn.Linear(cnf.input_channels, cnf.output_channels)

    def _norm(self, norm, x):
        return norm(x.transpose(1, 2)).transpose(1, 2) if self.needs_transposal else norm(x)

    def forward(self, x, thw):
        inner = self._norm(self.norm1, x)
        out, size = self.attn(inner, thw)
        if self.project is not None and self.proj_after_attn:
            x = self.project(inner)
        x = (x if self.pool_skip is None else self.pool_skip(x, thw)[0]) + self.stochastic_depth(out)
        inner = self._norm(self.norm2, x)
        if self.project is not None and not self.proj_after_attn:
            x = self.project(inner)
        return x + self.stochastic_depth(self.mlp(inner)), size


class PositionalEncoding(_nn.Module):
    def __init__(self, embed_size, spatial_size, temporal_size, rel_pos_embed):
        super().__init__()
        self.spatial_size = spatial_size
        self.temporal_size = temporal_size
        self.class_token = _nn.Parameter(_torch.zeros(embed_size))
        self.spatial_pos, self.temporal_pos, self.class_pos = None, None, None
        if not rel_pos_embed:
            self.spatial_pos = _nn.Parameter(_torch.zeros(spatial_size[0] * spatial_size[1], embed_size))
            self.temporal_pos = _nn.Parameter(_torch.zeros(temporal_size, embed_size))
            self.class_pos = _nn.Parameter(_torch.zeros(embed_size))

    def forward(self, x):
        x = _torch.cat((self.class_token.expand(x.size(0), -1).unsqueeze(1), x), dim=1)
        if self.spatial_pos is not None:
            at = (self.temporal_pos[:, None] + self.spatial_pos).flatten(0, 1)
            x.add_(_torch.cat((self.class_pos.unsqueeze(0), at), dim=0).unsqueeze(0))
        return x


class MViT(_nn.Module):
    def __init__(self, spatial_size, temporal_size, block_setting, residual_pool, residual_with_cls_embed, rel_pos_embed, proj_after_attn, dropout=0.5,
                 attention_dropout=0.0, stochastic_depth_prob=0.0, num_classes=400, block=None, norm_layer=None, patch_embed_kernel=(3, 7, 7),
                 patch_embed_stride=(2, 4, 4), patch_embed_padding=(1, 3, 3)):
        super().__init__()
        n = len(block_setting)
        if n == 0:
            raise ValueError("The configuration parameter can't be empty.")
        block, norm_layer = block or MultiscaleBlock, norm_layer or _partial(_nn.LayerNorm, eps=1e-6)
        width = block_setting[0].input_channels
        self.conv_proj = _nn.Conv3d(3, width, patch_embed_kernel, stride=patch_embed_stride, padding=patch_embed_padding)
        size = [n // s for n, s in zip((temporal_size,) + spatial_size, self.conv_proj.stride)]
        self.pos_encoding = PositionalEncoding(width, (size[1], size[2]), size[0], rel_pos_embed)
        self.blocks = _nn.ModuleList()
        for i, cnf in enumerate(block_setting):
            self.blocks.append(block(input_size=size, cnf=cnf, residual_pool=residual_pool, residual_with_cls_embed=residual_with_cls_embed,
                                     rel_pos_embed=rel_pos_embed, proj_after_attn=proj_after_attn, dropout=attention_dropout,
                                     stochastic_depth_prob=stochastic_depth_prob * i / (n - 1.0), norm_layer=norm_layer))
            if len(cnf.stride_q) > 0:
                size = [k // s for k, s in zip(size, cnf.stride_q)]
        self.norm = norm_layer(block_setting[-1].output_channels)
        self.head = _nn.Sequential(_nn.Dropout(dropout, inplace=True), _nn.Linear(block_setting[-1].output_channels, num_classes))
        for m in self.modules():
            if isinstance(m, _nn.Linear):
                _nn.init.trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    _nn.init.constant_(m.bias, 0.0)
            elif isinstance(m, PositionalEncoding):
                for p in m.parameters():
                    _nn.init.trunc_normal_(p, std=0.02)

    def forward(self, x):
        if x.dim() == 4:  # pictures are films of one frame
            x = x.unsqueeze(2)
        elif x.dim() != 5:
            raise ValueError(f'Unsupported input dimension {x.shape}')
        x = self.pos_encoding(self.conv_proj(x).flatten(2).transpose(1, 2))
        thw = (self.pos_encoding.temporal_size,) + self.pos_encoding.spatial_size
        for block in self.blocks:
            x, thw = block(x, thw)
        return self.head(self.norm(x)[:, 0])


def _blocks(widths, outs, kernel, stride):
    # The sixteen blocks of both models. Three of them make the film smaller; the others have these kernels and strides of queries.
    out = []
    for i, (heads, shrink) in enumerate(zip([1, 2, 2] + [4] * 11 + [8] * 2, [8, 4, 4] + [2] * 11 + [1] * 2)):
        smaller = i in (1, 3, 14)
        out.append(MSBlockConfig(heads, widths[i], outs[i], [3, 3, 3] if smaller else kernel, [3, 3, 3], [1, 2, 2] if smaller else stride, [1, shrink, shrink]))
    return out


def _mvit(name, cls, blocks, **fixed):
    def make(spatial_size=(224, 224), temporal_size=16, stochastic_depth_prob=0.2, **kwargs):
        return MViT(spatial_size, temporal_size, blocks(), residual_with_cls_embed=False, stochastic_depth_prob=stochastic_depth_prob, **fixed, **kwargs)
    return _builder(name, cls, make, legacy='KINETICS400_V1', classes=400)


def _blocks_v1():
    return _blocks([96, 192, 192] + [384] * 11 + [768] * 2, [192, 192] + [384] * 11 + [768] * 3, [], [])


def _blocks_v2():
    return _blocks([96, 96, 192, 192] + [384] * 11 + [768], [96, 192, 192] + [384] * 11 + [768] * 2, [3, 3, 3], [1, 1, 1])


_PICTURES = {'crop_size': (224, 224), 'resize_size': (256,), 'mean': (0.45, 0.45, 0.45), 'std': (0.225, 0.225, 0.225)}
MViT_V1_B_Weights, MViT_V2_S_Weights = _kinetics('MViT_V1_B_Weights', **_PICTURES), _kinetics('MViT_V2_S_Weights', **_PICTURES)
mvit_v1_b = _mvit('mvit_v1_b', MViT_V1_B_Weights, _blocks_v1, residual_pool=False, rel_pos_embed=False, proj_after_attn=False)
mvit_v2_s = _mvit('mvit_v2_s', MViT_V2_S_Weights, _blocks_v2, residual_pool=True, rel_pos_embed=True, proj_after_attn=True)
