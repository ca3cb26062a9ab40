# entry: forward
# arg: x:f32[2,3,7,8]
import chainer.functions as F


def forward(x):
    y, at = F.max_pooling_2d(x, 2, return_indices=True)
    z, inner = F.max_pooling_2d(x, 3, 2, 1, cover_all=False, return_indices=True)
    w, wide = F.max_pooling_2d(x, (2, 3), stride=(2, 1), pad=(0, 1), return_indices=True)
    return y, at, z, inner, w, wide
