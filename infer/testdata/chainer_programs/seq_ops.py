# entry: forward
# arg: x:f32[6,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    a, b = F.split_axis(v, 2, axis=0)
    c = F.split_axis(v, [1, 3], axis=0)
    d = F.split_axis(v, 1, axis=0, force_tuple=False)
    s = F.separate(v, axis=1)
    st = F.stack(s, axis=1)
    h = F.hstack([a, b])
    w = F.vstack([a, b])
    k = F.dstack([a, b])
    return a, b, c, d, s, st, h, w, k, F.concat(c, axis=0), F.transpose_sequence([x[:3], x[:2]]), F.permutate(v, np.array([1, 0, 2, 3, 5, 4])), F.repeat(v, 2, axis=1), F.tile(v, (2, 1, 1)), F.pad(v, ((0, 0), (1, 2)), 'constant'), F.moveaxis(F.expand_dims(v, 0), 0, -1), F.flip(v, 1), F.rollaxis(v[None], 2), F.squeeze(v[None, :, None]), F.scatter_add(v, ([0, 1],), np.ones((2, 4), np.float32)), F.as_strided(v, (2, 2), (1, 1)), F.diagonal(v), F.im2col(v[None, None], 2), F.depth2space(np.zeros((1, 4, 2, 2), 'f'), 2), F.space2depth(np.zeros((1, 1, 4, 4), 'f'), 2)
