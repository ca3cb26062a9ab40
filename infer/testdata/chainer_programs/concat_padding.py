# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    batch = [np.zeros((i + 1, 2), np.float32) for i in range(n)]
    a = chainer.dataset.concat_examples(batch, padding=0)
    b = chainer.dataset.concat_examples([(x, i) for i, x in enumerate(batch)], padding=(0, -1))
    c = chainer.dataset.concat_examples([{'x': x, 'n': float(i)} for i, x in enumerate(batch)], padding={'x': 0, 'n': 0})
    return a, b, c
