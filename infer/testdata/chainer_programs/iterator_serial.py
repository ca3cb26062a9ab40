# entry: forward
# arg: n=7
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    data = chainer.datasets.TupleDataset(np.zeros((n, 3), np.float32), np.zeros(n, np.int32))
    it = chainer.iterators.SerialIterator(data, 3, shuffle=False)
    b = it.next()
    x, t = chainer.dataset.concat_examples(b)
    b2 = next(it)
    return len(data), len(b), b[0], x, t, it.epoch, it.is_new_epoch, len(b2), it.epoch_detail
