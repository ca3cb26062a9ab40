# entry: Net()
# arg: x:f32[N,3,4]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        return (F.sum(x), F.mean(x, axis=(0, 2)), F.max(x, axis=-1, keepdims=True), F.argmax(x, axis=1), F.logsumexp(x, axis=0), F.prod(x, axis=1),
                F.cumsum(x, axis=1), F.average(x, axis=2), F.min(x, axis=(1, 2)))
