# entry: forward
# arg: x:f32[3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    k = np.array([1, 0, 2])
    return np.where(x > 0)[0].dtype, np.nonzero(k), np.argwhere(k), np.flatnonzero(k), np.count_nonzero(k), np.choose(np.array([0, 1, 1, 0]), [x[0], x[1]]), np.select([x > 0, x < 0], [x, -x]), np.piecewise(x, [x < 0, x >= 0], [-1, 1]), np.extract(k > 0, k), np.compress([True, False, True], x, axis=0), np.put_along_axis(x.copy(), k[:, None], 0, axis=1), np.take(x, k, axis=0), np.any(x > 0, axis=1), np.all(x > 0)
