# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        with chainer.using_config('train', False), chainer.no_backprop_mode():
            y = F.dropout(x, 0.5)
            inside = chainer.config.train
        return y, inside, chainer.config.enable_backprop
