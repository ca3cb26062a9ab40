# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    l = L.Linear(3, 4, initialW=np.zeros((3, 4), np.float32))
    return l.W
