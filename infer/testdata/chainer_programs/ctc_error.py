# entry: forward
# arg: x:f32[2,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    t = np.array([[1, 2]], 'i')
    return F.connectionist_temporal_classification([x, x], t, 0)
