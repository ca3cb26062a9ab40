# entry: forward
# arg: xs=[f32[3,2], f32[5,2], f32[1,2]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(xs):
    lens = np.array([len(x) for x in xs])
    m = lens.max()
    out = np.zeros((len(xs), m, 2), np.float32)
    mask = np.arange(m)[None] < lens[:, None]
    for i, x in enumerate(xs):
        out[i, :len(x)] = x
    return out, mask, mask.sum(axis=1), lens.sum(), out[mask], F.pad_sequence(xs), np.stack([np.pad(x, ((0, m - len(x)), (0, 0)), 'constant') for x in xs])
