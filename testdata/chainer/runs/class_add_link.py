# entry: Stack(3, 4)
# arg: x:f32[N,4]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Stack(chainer.Chain):
    def __init__(self, depth, width):
        super().__init__()
        self.depth = depth
        for k in range(depth):
            self.add_link('layer%d' % k, L.Linear(width, width + k))
            width += k

    def forward(self, x):
        for k in range(self.depth):
            x = F.relu(getattr(self, 'layer%d' % k)(x))
        return x
