# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import backend
from chainer.backends import cuda


class Net(chainer.Chain):
    def forward(self, x):
        xp = backend.get_array_module(x)
        assert xp is np
        y = chainer.Variable(xp.asarray(x))
        return cuda.to_cpu(y.array), y.data, xp.concatenate([x, y.array], axis=1)
