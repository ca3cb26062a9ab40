# entry: forward
# arg: x:f32[5,4]
import chainer
import numpy as np


def forward(x):
    a = chainer.as_variable(x)
    b = chainer.as_variable(a)
    c = chainer.as_array(a)
    d = chainer.Variable(x, requires_grad=False, name='d')
    return a, b is a, c is x, d.requires_grad, a.requires_grad, d.name, isinstance(c, np.ndarray), chainer.is_arrays_compatible([x, c])
