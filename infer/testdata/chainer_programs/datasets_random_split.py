# entry: forward
# arg: n=10
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    d = chainer.datasets.TupleDataset(np.zeros((n, 3), np.float32), range(n))
    a, b = chainer.datasets.split_dataset_random(d, 7, seed=0)
    folds = chainer.datasets.get_cross_validation_datasets(d, 5)
    return len(a), len(b), a[0][0], len(folds), len(folds[0][0]), len(folds[0][1])
