# entry: Net()
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        buf = np.zeros((4, 5), dtype=x.dtype)
        buf[:, :3] = x
        buf[0] += 1
        buf[1:3, -1] = 2
        return buf, F.sum(buf, axis=1)
