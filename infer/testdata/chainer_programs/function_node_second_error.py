# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Bad(chainer.FunctionNode):
    def check_type_forward(self, in_types):
        chainer.utils.type_check.expect(
            in_types[0].ndim == 2,
            in_types[0].shape[1] == in_types[1].shape[0],
        )

    def forward(self, inputs):
        return inputs[0].dot(inputs[1]),


def main():
    a = np.ones((3, 4), 'f')
    y, = Bad().apply((a, np.ones((4, 2), 'f')))
    w = F.relu(y)
    z, = Bad().apply((w, np.ones((4, 2), 'f')))
    return z
