# entry: Net()
# arg: x:f32[6,2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def windows(self, x, size):
        for k in range(0, len(x) - size + 1, size):
            yield x[k:k + size]

    def forward(self, x):
        return F.stack([F.mean(w, axis=0) for w in self.windows(x, 2)], axis=1)
