# entry: forward
# arg: n=6
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Squares(chainer.dataset.DatasetMixin):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def get_example(self, i):
        return np.full((2, i + 1), i, np.float32), np.int32(i)


def forward(n):
    d = Squares(n)
    sub = chainer.datasets.SubDataset(d, 2, 5)
    a, b = chainer.datasets.split_dataset(d, 2)
    tr = chainer.datasets.TransformDataset(d, lambda s: (s[0].sum(axis=1), s[1]))
    cat = chainer.datasets.ConcatenatedDataset(a, b)
    dd = chainer.datasets.DictDataset(x=np.zeros((4, 2), np.float32), t=np.zeros(4, np.int32))
    return d[0], d[-1], d[1:3], len(sub), sub[0], len(a), len(b), tr[3], len(cat), cat[5], dd[1], len(dd), len(dd[0:2])
