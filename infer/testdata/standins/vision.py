# timm's layers.
import torch
from timm.data import IMAGENET_DEFAULT_MEAN
from timm.layers import DropPath, LayerNorm2d, LayerScale, Mlp, PatchEmbed, make_divisible, to_2tuple, to_ntuple, trunc_normal_
from timm.models.vision_transformer import Attention, Block
from torch import nn


def tuples():
    return [to_2tuple(3), to_2tuple((3, 4)), to_2tuple('ab'), to_ntuple(3)(1)]


def divisible():
    return [make_divisible(n) for n in (1, 4, 12, 13, 35, 100)] + [make_divisible(33, 4, 40), make_divisible(10.7, 8, round_limit=0.95)]


def mean():
    return IMAGENET_DEFAULT_MEAN


def dropped():
    x = torch.zeros(4, 5, 8)
    return [DropPath(0.3)(x).shape, DropPath(0.3).eval()(x).shape, DropPath(0.)(x) is x]


def scaled():
    x = torch.zeros(4, 5, 8)
    return [LayerScale(8)(x).shape, LayerScale(8, inplace=True)(x) is x, LayerScale(8).gamma.shape]


def normed():
    m = LayerNorm2d(6)
    return [m(torch.zeros(2, 6, 4, 3)).shape, m.weight.shape, m.eps]


def perceptron():
    m = Mlp(6, 12, act_layer=nn.ReLU, drop=0.1)
    return [m(torch.zeros(2, 3, 6)).shape, Mlp(6, 12, 5)(torch.zeros(2, 6)).shape, Mlp(6, use_conv=True)(torch.zeros(2, 6, 4, 4)).shape,
            [(k, v.shape) for k, v in m.state_dict().items()]]


def patches():
    m = PatchEmbed(32, 8, 3, 20)
    x = torch.zeros(2, 3, 32, 32)
    return [m(x).shape, m.img_size, m.patch_size, m.grid_size, m.num_patches, PatchEmbed(32, (8, 4), 3, 20, flatten=False)(x).shape,
            PatchEmbed(None, 8, 3, 20)(torch.zeros(2, 3, 16, 24)).shape, PatchEmbed(None, 7, 3, 20, dynamic_img_pad=True)(x).shape,
            PatchEmbed(32, 8, 3, 20, norm_layer=nn.LayerNorm, bias=False)(x).shape, [(k, v.shape) for k, v in m.state_dict().items()]]


def refused():
    try:
        PatchEmbed(32, 8, 3, 20)(torch.zeros(2, 3, 24, 32))
    except AssertionError as e:
        return str(e)


def attention():
    m = Attention(24, num_heads=4, qkv_bias=True)
    return [m(torch.zeros(2, 7, 24)).shape, m.head_dim, m.num_heads, [(k, v.shape) for k, v in m.state_dict().items()]]


def block():
    m = Block(24, 4, qkv_bias=True, init_values=0.1, drop_path=0.2)
    return [m(torch.zeros(2, 7, 24)).shape, [(k, v.shape) for k, v in m.state_dict().items()]]


def initialised():
    x = torch.zeros(3, 4)
    return [trunc_normal_(x, std=.02) is x, x.shape]
