# entry: Net()
# arg: xs=[f32[3,2], f32[1,2], f32[4,2]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, xs):
        a = F.pad_sequence(xs)
        b = F.pad_sequence(xs, length=6, padding=-1)
        mask = np.arange(a.shape[1])[None, :] < np.array([len(x) for x in xs])[:, None]
        return a, b, mask
