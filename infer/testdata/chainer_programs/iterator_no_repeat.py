# entry: forward
# arg: n=5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    data = [(np.zeros((2, 2), np.float32), i) for i in range(n)]
    it = chainer.iterators.SerialIterator(data, 2, repeat=False, shuffle=False)
    sizes = []
    for batch in it:
        x, t = chainer.dataset.concat_examples(batch)
        sizes.append(x.shape)
    return sizes, t
