# MaxViT: convolutions, attention in windows, then attention over a grid of places that are far from each other.
import math as _math
from collections import OrderedDict as _OrderedDict
from functools import partial as _partial
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation
from torchvision.ops.stochastic_depth import StochasticDepth


def _halved(size):
    return (size[0] - 1) // 2 + 1, (size[1] - 1) // 2 + 1


class MBConv(_nn.Module):
    def __init__(self, in_channels, out_channels, expansion_ratio, squeeze_ratio, stride, activation_layer, norm_layer, p_stochastic_dropout=0.0):
        super().__init__()
        if stride != 1 or in_channels != out_channels:
            pool = [_nn.AvgPool2d(3, stride=stride, padding=1)] if stride == 2 else []
            self.proj = _nn.Sequential(*pool, _nn.Conv2d(in_channels, out_channels, 1, stride=1, bias=True))
        else:
            self.proj = _nn.Identity()
        inner = int(out_channels * expansion_ratio)
        self.stochastic_depth = StochasticDepth(p_stochastic_dropout, mode='row') if p_stochastic_dropout else _nn.Identity()
        how = {'activation_layer': activation_layer, 'norm_layer': norm_layer, 'inplace': None}
        self.layers = _nn.Sequential(_OrderedDict(
            pre_norm=norm_layer(in_channels), conv_a=Conv2dNormActivation(in_channels, inner, kernel_size=1, stride=1, padding=0, **how),
            conv_b=Conv2dNormActivation(inner, inner, kernel_size=3, stride=stride, padding=1, groups=inner, **how),
            squeeze_excitation=SqueezeExcitation(inner, int(out_channels * squeeze_ratio), activation=_nn.SiLU), conv_c=_nn.Conv2d(inner, out_channels, 1, bias=True)))

    def forward(self, x):
        return self.proj(x) + self.stochastic_depth(self.layers(x))


class RelativePositionalMultiHeadAttention(_nn.Module):
    def __init__(self, feat_dim, head_dim, max_seq_len):
        super().__init__()
        if feat_dim % head_dim != 0:
            raise ValueError(f'feat_dim: {feat_dim} must be divisible by head_dim: {head_dim}')
        self.n_heads = feat_dim // head_dim
        self.head_dim = head_dim
        self.size = n = int(_math.sqrt(max_seq_len))
        self.max_seq_len = max_seq_len
        self.to_qkv = _nn.Linear(feat_dim, self.n_heads * head_dim * 3)
        self.scale_factor = feat_dim ** -0.5
        self.merge = _nn.Linear(head_dim * self.n_heads, feat_dim)
        self.relative_position_bias_table = _nn.Parameter(_torch.empty(((2 * n - 1) * (2 * n - 1), self.n_heads), dtype=_torch.float32))
        y, x = _torch.arange(n).repeat_interleave(n), _torch.arange(n).repeat(n)
        self.register_buffer('relative_position_index', (y[:, None] - y + n - 1) * (2 * n - 1) + (x[:, None] - x + n - 1))
        _nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def get_relative_positional_bias(self):
        n = self.max_seq_len
        return self.relative_position_bias_table[self.relative_position_index.view(-1)].view(n, n, -1).permute(2, 0, 1).contiguous().unsqueeze(0)

    def forward(self, x):
        b, groups, places, d = x.shape
        q, k, v = [t.reshape(b, groups, places, self.n_heads, self.head_dim).permute(0, 1, 3, 2, 4) for t in _torch.chunk(self.to_qkv(x), 3, dim=-1)]
        scores = _F.softmax(q.matmul((k * self.scale_factor).transpose(-2, -1)) + self.get_relative_positional_bias(), dim=-1)
        return self.merge(scores.matmul(v).permute(0, 1, 3, 2, 4).reshape(b, groups, places, d))


class SwapAxes(_nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a = a
        self.b = b

    def forward(self, x):
        return _torch.swapaxes(x, self.a, self.b)


class WindowPartition(_nn.Module):
    def forward(self, x, p):
        b, c, h, w = x.shape
        return x.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1).reshape(b, (h // p) * (w // p), p * p, c)


class WindowDepartition(_nn.Module):
    def forward(self, x, p, h_partitions, w_partitions):
        b, _, _, c = x.shape
        x = x.reshape(b, h_partitions, w_partitions, p, p, c).permute(0, 5, 1, 3, 2, 4)
        return x.reshape(b, c, h_partitions * p, w_partitions * p)


class PartitionAttentionLayer(_nn.Module):
    def __init__(self, in_channels, head_dim, partition_size, partition_type, grid_size, mlp_ratio, activation_layer, norm_layer, attention_dropout,
                 mlp_dropout, p_stochastic_dropout):
        super().__init__()
        if partition_type not in ['grid', 'window']:
            raise ValueError("partition_type must be either 'grid' or 'window'")
        grid = partition_type == 'grid'
        self.n_heads = in_channels // head_dim
        self.head_dim = head_dim
        self.n_partitions = grid_size[0] // partition_size
        self.partition_type = partition_type
        self.grid_size = grid_size
        self.p, self.g = (self.n_partitions, partition_size) if grid else (partition_size, self.n_partitions)
        self.partition_op = WindowPartition()
        self.departition_op = WindowDepartition()
        self.partition_swap = SwapAxes(-2, -3) if grid else _nn.Identity()
        self.departition_swap = SwapAxes(-2, -3) if grid else _nn.Identity()
        self.attn_layer = _nn.Sequential(norm_layer(in_channels), RelativePositionalMultiHeadAttention(in_channels, head_dim, partition_size ** 2),
                                         _nn.Dropout(attention_dropout))
        self.mlp_layer = _nn.Sequential(_nn.LayerNorm(in_channels), _nn.Linear(in_channels, in_channels * mlp_ratio), activation_layer(),
                                        _nn.Linear(in_channels * mlp_ratio, in_channels), _nn.Dropout(mlp_dropout))
        self.stochastic_dropout = StochasticDepth(p_stochastic_dropout, mode='row')

    def forward(self, x):
        h, w = self.grid_size
        _torch._assert(h % self.p == 0 and w % self.p == 0,
                       f'Grid size must be divisible by partition size. Got grid size of {self.grid_size} and partition size of {self.p}')
        x = self.partition_swap(self.partition_op(x, self.p))
        x = x + self.stochastic_dropout(self.attn_layer(x))
        x = x + self.stochastic_dropout(self.mlp_layer(x))
        return self.departition_op(self.departition_swap(x), self.p, h // self.p, w // self.p)


class MaxVitLayer(_nn.Module):
    def __init__(self, in_channels, out_channels, squeeze_ratio, expansion_ratio, stride, norm_layer, activation_layer, head_dim, mlp_ratio, mlp_dropout,
                 attention_dropout, p_stochastic_dropout, partition_size, grid_size):
        super().__init__()
        window, grid = [PartitionAttentionLayer(out_channels, head_dim, partition_size, kind, grid_size, mlp_ratio, activation_layer, _nn.LayerNorm,
                                                attention_dropout, mlp_dropout, p_stochastic_dropout) for kind in ('window', 'grid')]
        conv = MBConv(in_channels, out_channels, expansion_ratio, squeeze_ratio, stride, activation_layer, norm_layer, p_stochastic_dropout)
        self.layers = _nn.Sequential(_OrderedDict(MBconv=conv, window_attention=window, grid_attention=grid))

    def forward(self, x):
        return self.layers(x)


class MaxVitBlock(_nn.Module):
    def __init__(self, in_channels, out_channels, squeeze_ratio, expansion_ratio, norm_layer, activation_layer, head_dim, mlp_ratio, mlp_dropout,
                 attention_dropout, partition_size, input_grid_size, n_layers, p_stochastic):
        super().__init__()
        if len(p_stochastic) != n_layers:
            raise ValueError(f'p_stochastic must have length n_layers={n_layers}, got p_stochastic={p_stochastic}.')
        self.layers = _nn.ModuleList()
        self.grid_size = _halved(input_grid_size)
        for i, p in enumerate(p_stochastic):
            self.layers.append(MaxVitLayer(out_channels if i else in_channels, out_channels, squeeze_ratio, expansion_ratio, 1 if i else 2, norm_layer,
                                           activation_layer, head_dim, mlp_ratio, mlp_dropout, attention_dropout, p, partition_size, self.grid_size))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class MaxVit(_nn.Module):
    def __init__(self, input_size, stem_channels, partition_size, block_channels, block_layers, head_dim, stochastic_depth_prob, norm_layer=None,
                 activation_layer=_nn.GELU, squeeze_ratio=0.25, expansion_ratio=4, mlp_ratio=4, mlp_dropout=0.0, attention_dropout=0.0, num_classes=1000):
        super().__init__()
        norm_layer = norm_layer or _partial(_nn.BatchNorm2d, eps=1e-3, momentum=0.01)
        size, sizes = _halved(input_size), []
        for _ in block_channels:
            sizes.append(_halved(sizes[-1] if sizes else size))
        for i, (h, w) in enumerate(sizes):
            if h % partition_size != 0 or w % partition_size != 0:
                raise ValueError(f'Input size {(h, w)} of block {i} is not divisible by partition size {partition_size}. Consider changing the partition '
                                 f'size or the input size.\nCurrent configuration yields the following block input sizes: {sizes}.')
        self.stem = _nn.Sequential(
            Conv2dNormActivation(3, stem_channels, 3, stride=2, norm_layer=norm_layer, activation_layer=activation_layer, bias=False, inplace=None),
            Conv2dNormActivation(stem_channels, stem_channels, 3, stride=1, norm_layer=None, activation_layer=None, bias=True))
        self.partition_size = partition_size
        self.blocks = _nn.ModuleList()
        last, number, width = max(sum(block_layers) - 1, 1), 0, stem_channels
        for out, n in zip(block_channels, block_layers):
            depth = [stochastic_depth_prob * (number + i) / last for i in range(n)]
            self.blocks.append(MaxVitBlock(width, out, squeeze_ratio, expansion_ratio, norm_layer, activation_layer, head_dim, mlp_ratio, mlp_dropout,
                                           attention_dropout, partition_size, size, n, depth))
            size, number, width = self.blocks[-1].grid_size, number + n, out
        self.classifier = _nn.Sequential(_nn.AdaptiveAvgPool2d(1), _nn.Flatten(), _nn.LayerNorm(width), _nn.Linear(width, width), _nn.Tanh(),
                                         _nn.Linear(width, num_classes, bias=False))
        for m in self.modules():
            if isinstance(m, (_nn.Conv2d, _nn.Linear)):
                _nn.init.normal_(m.weight, std=0.02)
                if m.bias is not None:
                    _nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.classifier(x)


def _make(input_size=(224, 224), **kwargs):
    return MaxVit(input_size, 64, 7, [64, 128, 256, 512], [2, 2, 5, 2], 32, 0.2, **kwargs)


MaxVit_T_Weights = _weights('MaxVit_T_Weights', IMAGENET1K_V1=224)
maxvit_t = _builder('maxvit_t', MaxVit_T_Weights, _make)
