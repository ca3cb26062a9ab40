# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    ds = chainer.datasets.TransformDataset([np.ones((4, 4), 'f') * i for i in range(5)], lambda x: (x[None].repeat(3, 0), np.int32(x.sum() > 2)))
    a, b = chainer.datasets.split_dataset_random(ds, 3, seed=0)
    c = chainer.datasets.ConcatenatedDataset(ds, [1, 2])
    d = chainer.datasets.DictDataset(x=np.ones((5, 2), 'f'), y=list(range(5)))
    e = chainer.datasets.get_cross_validation_datasets(list(range(6)), 3)
    return ds[0], len(a), len(b), len(c), c[6], d[1:3], len(e), [len(p) for p in e[0]], ds[1:3][0][0]
