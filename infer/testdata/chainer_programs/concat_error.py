# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    batch = [np.zeros((i + 1, 2), np.float32) for i in range(n)]
    return chainer.dataset.concat_examples(batch)
