# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        name = '%s_%d' % ('axis', x.shape[1])
        label = f'{x.ndim}d-{name:>8}'
        print(label)
        return label, label.split('-')[0]
