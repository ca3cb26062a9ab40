# entry: forward
# arg: x=chainer.Variable(f32[5,4])
import numpy as np


def forward(x):
    x.grad = np.zeros((4, 5), 'f')
    return x
