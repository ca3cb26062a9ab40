# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Twice:
    def __init__(self, f):
        self.f = f

    def __call__(self, v):
        return self.f(self.f(v))


class Net(chainer.Chain):
    def forward(self, x):
        return Twice(lambda v: F.concat([v, v], axis=0))(x)
