# entry: forward
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def forward(x):
    v = Variable(x)
    a = v[:, [0, 2]]
    b = v[0, [1, 2], 0]
    c = F.get_item(v, (0, slice(None), None))
    return a, b, c, v[0, 3]
