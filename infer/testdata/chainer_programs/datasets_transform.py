# entry: forward
# arg: x:f32[6,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    t = np.arange(6, dtype=np.int32)
    d = chainer.datasets.TupleDataset(x, t)
    e = chainer.datasets.TransformDataset(d, lambda p: (p[0] * 2, p[1] + 1, p[0].sum()))
    a, b = chainer.datasets.split_dataset(d, 4)
    k = chainer.datasets.get_cross_validation_datasets(d, 3)
    c = chainer.datasets.ConcatenatedDataset(a, b)
    s = chainer.datasets.SubDataset(d, 1, 3)
    q = chainer.datasets.DictDataset(x=x, y=t)
    return d[1], e[2], len(e), a[0], len(b), len(k), len(k[0][0]), len(c), c[5], len(s), s[-1], q[0]['x'], d[1:3], len(e[::2])
