# entry: Net()
# arg: x:f32[2,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        parts = {k: F.relu(x[:, :k]) for k in (1, 2, 4)}
        return {str(k): v for k, v in parts.items() if k > 1}
