# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Sq(chainer.FunctionNode):
    def check_type_forward(self, in_types):
        chainer.utils.type_check.expect(in_types.size() == 2, in_types[0].dtype.kind == 'f', in_types[0].shape == in_types[1].shape)

    def forward(self, inputs):
        self.retain_inputs((0, 1))
        x, y = inputs
        return (x - y) ** 2, np.sum(x, axis=0)

    def backward(self, indexes, gys):
        x, y = self.get_retained_inputs()
        g = 2 * (x - y) * gys[0]
        return g, -g


def main():
    a = Variable(np.ones((3, 4), 'f'))
    b = Variable(np.zeros((3, 4), 'f'))
    y, z = Sq().apply((a, b))
    F.sum(y).backward()
    return y, z, a.grad, b.grad, y.creator.label, y.rank, z.creator is y.creator
