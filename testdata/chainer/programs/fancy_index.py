# entry: Net()
# arg: x:f32[5,6,7]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        v = chainer.Variable(x)
        idx = np.array([0, 3, 3], dtype=np.int32)
        return v[idx], v[[0, 1]], v[idx, idx], v[:, idx], v[idx, :, idx], v[[[0], [1]], [0, 1, 2]]
