# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        try:
            return F.reshape(x, (4, 2))
        except chainer.utils.type_check.InvalidType:
            return F.reshape(x, (3, 2))
        finally:
            self.done = True
