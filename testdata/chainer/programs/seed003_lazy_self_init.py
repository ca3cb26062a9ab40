# entry: LazySelfInit()
# arg: x=5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class LazySelfInit(chainer.Chain):
    def __init__(self):
        super(LazySelfInit, self).__init__()
        self.y = None
    def forward(self, x):
        for i in range(x):
            if self.y is None:
                self.y = 42
            self.y += i
        return self.y
