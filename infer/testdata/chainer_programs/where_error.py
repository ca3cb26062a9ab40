# entry: forward
# arg: x:f32[4,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    return F.where(x > 0, x, np.zeros((4, 5)))
