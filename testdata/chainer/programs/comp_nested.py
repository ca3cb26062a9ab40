# entry: Net()
# arg: x:f32[3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        rows = [[x[i, j] for j in range(x.shape[1]) if (i + j) % 2 == 0] for i in range(x.shape[0])]
        return rows, {len(r) for r in rows}
