# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    return (chainer.dataset.concat_examples([1, 2, 3]), chainer.dataset.concat_examples([1.5, 2]), chainer.dataset.concat_examples([np.float32(1), np.float32(2)]),
            chainer.dataset.concat_examples([(np.int32(1), True)] * n))
