# entry: forward
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    return (np.roll(x, 1, axis=2), np.rot90(x), np.flip(x), np.moveaxis(x, 0, -1), np.rollaxis(x, 2), np.swapaxes(x, 0, 1), np.tile(x, (2, 1)), np.repeat(x, [1, 2, 0], axis=1),
            np.pad(x, ((0, 0), (1, 2), (0, 1)), 'constant'), np.split(x, 2, axis=2), np.array_split(x, 3, axis=2), np.hsplit(x, [1]), np.dstack([x, x]), np.column_stack([x[0, 0], x[0, 1]]),
            np.insert(x, 1, 0, axis=1), np.delete(x, [0], axis=2), np.append(x, x, axis=0), np.atleast_3d(x[0, 0]), np.squeeze(x[:1]), np.ravel(x), np.diff(x, axis=1), np.trim_zeros(np.array([0, 1, 2, 0])))
