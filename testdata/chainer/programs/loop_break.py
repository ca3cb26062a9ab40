# entry: Net()
# arg: x:f32[7,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        seen = []
        for k in range(x.shape[0]):
            if k * 2 >= 6:
                break
            seen.append(x[k:k + 1])
        else:
            seen.append(x)
        return F.concat(seen, axis=0)
