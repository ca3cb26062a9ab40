# entry: Self(8, 2)
# arg: x:f32[N,5,8]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Self(chainer.Chain):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        with self.init_scope():
            self.qkv = L.Linear(width, 3 * width)
            self.out = L.Linear(width, width)

    def forward(self, x):
        b, t, w = x.shape
        parts = F.split_axis(self.qkv(x, n_batch_axes=2), 3, axis=2)
        q, k, v = [F.transpose(F.reshape(p, (b, t, self.heads, w // self.heads)), (0, 2, 1, 3)) for p in parts]
        a = F.softmax(F.matmul(q, k, transb=True) / (w // self.heads) ** 0.5, axis=3)
        y = F.reshape(F.transpose(F.matmul(a, v), (0, 2, 1, 3)), (b, t, w))
        return self.out(y, n_batch_axes=2)
