# The parts of vision transformers that files take of timm.
from torch import nn as _nn
from timm.layers import DropPath, LayerScale, Mlp, PatchEmbed


class Attention(_nn.Module):
    def __init__(self, dim, num_heads=8, *others, qkv_bias=False, **named):
        super().__init__()
        assert dim % num_heads == 0, 'dim should be divisible by num_heads'
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim ** -0.5
        self.qkv = _nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = _nn.Linear(dim, dim)

    def forward(self, x, attn_mask=None, **named):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind(0)
        x = _nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask)
        return self.proj(x.transpose(1, 2).reshape(b, n, c))


class Block(_nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=4., qkv_bias=False, *others, init_values=None, drop_path=0., act_layer=_nn.GELU, norm_layer=_nn.LayerNorm,
                 mlp_layer=Mlp, **named):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads, qkv_bias=qkv_bias)
        self.ls1 = LayerScale(dim, init_values) if init_values else _nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0. else _nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = mlp_layer(in_features=dim, hidden_features=int(dim * mlp_ratio), act_layer=act_layer)
        self.ls2 = LayerScale(dim, init_values) if init_values else _nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0. else _nn.Identity()

    def forward(self, x, attn_mask=None, **named):
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask)))
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))
