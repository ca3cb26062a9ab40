# entry: forward
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def forward(x):
    v = Variable(x)
    return (v[0], v[..., 0], v[:, None], v[:, [0, 2]], v[[0, 1], [1, 2]], v[-1, ::2], v[1, 2, 3], v[:, 1:, ::-1], v[np.array([1, 0])], v[x > 2] if False else v[:0],
            v[:, np.array([True, False, True])], v[(slice(None), slice(0, 2))], v[Ellipsis], v[..., None], v[0][1][2])
