import numpy as np
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import initializers as I


def counted(array):
    array[...] = np.arange(array.size).reshape(array.shape)


class Rows(chainer.Initializer):
    def __call__(self, array):
        array[...] = 2
        array[0] = 3


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.lazy = L.Linear(None, 50)
            self.he = L.Linear(50, 50, initialW=I.HeNormal(), initial_bias=3)
            self.glorot = L.Linear(50, 50, initialW=I.GlorotUniform(2))
            self.own = L.Linear(None, 4, initialW=counted, initial_bias=Rows())
            self.bn = L.BatchNormalization(4)
            self.lazy_bn = L.BatchNormalization(axis=(0,), initial_avg_mean=5)
            self.lstm = L.LSTM(None, 2, forget_bias_init=2)
            self.eye = L.Linear(2, 2, initialW=I.Identity(3), initial_bias=np.array([1, 2.0]))
            self.up = L.Deconvolution2D(1, 1, 4, 2, 1, initialW=I.UpsamplingDeconvFilter())
            self.steps = L.NStepLSTM(1, 2, 30, 0.0)
            self.free = chainer.Parameter(I.Uniform(.5), (2000,))

    def forward(self, x):
        h = self.own(self.glorot(self.he(self.lazy(x))))
        h = self.eye(self.lstm(self.lazy_bn(self.bn(h))))
        self.up(F.broadcast_to(h[0, 0], (1, 1, 3, 3)))
        return self.steps(None, None, [h])[0]
