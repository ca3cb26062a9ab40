# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Twice(chainer.FunctionNode):
    def check_type_forward(self, in_types):
        chainer.utils.type_check.expect(in_types.size() == 1, in_types[0].dtype.kind == 'f')

    def forward(self, inputs):
        x, = inputs
        return 2 * x,

    def backward(self, indexes, gs):
        return 2 * gs[0],


def forward(x):
    v = chainer.Variable(x)
    y, = Twice().apply((v,))
    return y, y.requires_grad, F.sum(y)
