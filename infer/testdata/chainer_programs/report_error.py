# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    m = L.Classifier(L.Linear(3, 4))
    r = chainer.Reporter()
    with r:
        return m(x, np.zeros(2, np.int32))
