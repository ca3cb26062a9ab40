# Vision transformers.
import math as _math
from collections import OrderedDict as _OrderedDict
from functools import partial as _partial
from typing import Callable as _Callable, NamedTuple as _NamedTuple
import torch as _torch
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.ops.misc import MLP, Conv2dNormActivation

_norm = _partial(_nn.LayerNorm, eps=1e-6)


class ConvStemConfig(_NamedTuple):
    out_channels: int
    kernel_size: int
    stride: int
    norm_layer: _Callable = _nn.BatchNorm2d
    activation_layer: _Callable = _nn.ReLU


class MLPBlock(MLP):
    _version = 2

    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=_nn.GELU, inplace=None, dropout=dropout)
        for m in self.modules():
            if isinstance(m, _nn.Linear):
                _nn.init.xavier_uniform_(m.weight)
                _nn.init.normal_(m.bias, std=1e-6)


class EncoderBlock(_nn.Module):
    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer=_norm):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = _nn.MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout = _nn.Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def forward(self, input):
        _torch._assert(input.dim() == 3, f'Expected (batch_size, seq_length, hidden_dim) got {input.shape}')
        x = self.ln_1(input)
        x = self.dropout(self.self_attention(x, x, x, need_weights=False)[0]) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(_nn.Module):
    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer=_norm):
        super().__init__()
        self.pos_embedding = _nn.Parameter(_torch.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = _nn.Dropout(dropout)
        self.layers = _nn.Sequential(_OrderedDict([
            (f'encoder_layer_{i}', EncoderBlock(num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)) for i in range(num_layers)
        ]))
        self.ln = norm_layer(hidden_dim)

    def forward(self, input):
        _torch._assert(input.dim() == 3, f'Expected (batch_size, seq_length, hidden_dim) got {input.shape}')
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(_nn.Module):
    def __init__(self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0, attention_dropout=0.0, num_classes=1000,
                 representation_size=None, norm_layer=_norm, conv_stem_configs=None):
        super().__init__()
        _torch._assert(image_size % patch_size == 0, 'Input shape indivisible by patch size!')
        self.image_size = image_size
        self.patch_size = patch_size
        self.hidden_dim = hidden_dim
        self.mlp_dim = mlp_dim
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.num_classes = num_classes
        self.representation_size = representation_size
        self.norm_layer = norm_layer
        if conv_stem_configs is not None:
            stem, width = _nn.Sequential(), 3
            for i, cnf in enumerate(conv_stem_configs):
                stem.add_module(f'conv_bn_relu_{i}', Conv2dNormActivation(
                    width, cnf.out_channels, kernel_size=cnf.kernel_size, stride=cnf.stride, norm_layer=cnf.norm_layer,
                    activation_layer=cnf.activation_layer))
                width = cnf.out_channels
            stem.add_module('conv_last', _nn.Conv2d(width, hidden_dim, kernel_size=1))
            self.conv_proj = stem
            _nn.init.normal_(stem.conv_last.weight, mean=0.0, std=_math.sqrt(2.0 / hidden_dim))
            _nn.init.zeros_(stem.conv_last.bias)
        else:
            self.conv_proj = _nn.Conv2d(3, hidden_dim, kernel_size=patch_size, stride=patch_size)
            _nn.init.trunc_normal_(self.conv_proj.weight, std=_math.sqrt(1 / (3 * patch_size ** 2)))
            _nn.init.zeros_(self.conv_proj.bias)
        self.class_token = _nn.Parameter(_torch.zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)
        heads = _OrderedDict()
        if representation_size is not None:
            heads['pre_logits'] = _nn.Linear(hidden_dim, representation_size)
            heads['act'] = _nn.Tanh()
            _nn.init.trunc_normal_(heads['pre_logits'].weight, std=_math.sqrt(1 / hidden_dim))
            _nn.init.zeros_(heads['pre_logits'].bias)
        heads['head'] = _nn.Linear(hidden_dim if representation_size is None else representation_size, num_classes)
        self.heads = _nn.Sequential(heads)
        _nn.init.zeros_(heads['head'].weight)
        _nn.init.zeros_(heads['head'].bias)

    def _process_input(self, x):
        n, c, h, w = x.shape
        _torch._assert(h == self.image_size, f'Wrong image height! Expected {self.image_size} but got {h}!')
        _torch._assert(w == self.image_size, f'Wrong image width! Expected {self.image_size} but got {w}!')
        x = self.conv_proj(x)
        return x.reshape(n, self.hidden_dim, (h // self.patch_size) * (w // self.patch_size)).permute(0, 2, 1)

    def forward(self, x):
        x = self._process_input(x)
        x = _torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


def _vit(name, cls, patch, layers, heads, hidden, mlp, legacy='IMAGENET1K_V1'):
    def make(image_size=224, **kwargs):
        return VisionTransformer(image_size, patch, layers, heads, hidden, mlp, **kwargs)
    return _builder(name, cls, make, legacy, sized=True)


ViT_B_16_Weights = _weights('ViT_B_16_Weights', 'IMAGENET1K_V1', IMAGENET1K_V1=224, IMAGENET1K_SWAG_E2E_V1=384, IMAGENET1K_SWAG_LINEAR_V1=224)
ViT_B_32_Weights = _weights('ViT_B_32_Weights', IMAGENET1K_V1=224)
ViT_L_16_Weights = _weights('ViT_L_16_Weights', 'IMAGENET1K_V1', IMAGENET1K_V1=224, IMAGENET1K_SWAG_E2E_V1=512, IMAGENET1K_SWAG_LINEAR_V1=224)
ViT_L_32_Weights = _weights('ViT_L_32_Weights', IMAGENET1K_V1=224)
ViT_H_14_Weights = _weights('ViT_H_14_Weights', 'IMAGENET1K_SWAG_E2E_V1', IMAGENET1K_SWAG_E2E_V1=518, IMAGENET1K_SWAG_LINEAR_V1=224)
vit_b_16 = _vit('vit_b_16', ViT_B_16_Weights, 16, 12, 12, 768, 3072)
vit_b_32 = _vit('vit_b_32', ViT_B_32_Weights, 32, 12, 12, 768, 3072)
vit_l_16 = _vit('vit_l_16', ViT_L_16_Weights, 16, 24, 16, 1024, 4096)
vit_l_32 = _vit('vit_l_32', ViT_L_32_Weights, 32, 24, 16, 1024, 4096)
vit_h_14 = _vit('vit_h_14', ViT_H_14_Weights, 14, 32, 16, 1280, 5120, None)
