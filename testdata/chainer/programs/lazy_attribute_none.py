# entry: Cell()
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Cell(chainer.Chain):
    def __init__(self):
        super().__init__()
        self.state = None
        with self.init_scope():
            self.w = L.Linear(4, 4)

    def step(self, x):
        if self.state is None:
            self.state = self.xp.zeros((x.shape[0], 4), dtype=x.dtype)
        self.state = F.tanh(self.w(x) + self.state)
        return self.state

    def forward(self, x):
        for _ in range(3):
            y = self.step(x)
        return y
