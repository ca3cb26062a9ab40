# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        d = {'h': x, True: 1, 5: (x, x)}
        alias = d
        alias['h'] = F.concat([d['h'], x])
        del d[True]
        return d['h'], len(d), sorted(map(str, d.keys()))
