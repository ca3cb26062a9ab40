# entry: forward
# arg: x:f32[3,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    i = np.argsort(-x, axis=1)[:, :2]
    return i, np.take_along_axis(x, i, axis=1), x[np.arange(3)[:, None], i], np.partition(x, 2, axis=1), np.argpartition(x[0], 2), np.lexsort((x[0], x[1]))
