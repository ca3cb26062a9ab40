# entry: forward
# arg: x:f32[3,4]
import chainer
import numpy as np


def forward(x):
    y = np.zeros((2, 2), np.float32)
    y[0, 0] = x[:1, 0]
    y[1] = x[0, :2]
    y[0, np.int32(1)] = [1.0]
    return y
