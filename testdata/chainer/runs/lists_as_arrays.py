# entry: Net()
# arg: x:f32[N]
# N: 3,5
import chainer
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        n = len(x)
        return (np.dot([1., 2.], x[:2]), np.argsort([3, -n, 1]), np.sort([9., 1., -n]), np.where([True, False], x[:2], [1., 2.]), np.maximum(x[:2], [1, 2]), np.sum([n, 2]),
                np.cumsum([1, n, 3]), np.max([1, n]), np.outer([1, n], x), np.take([1., 2., 4.], [0, n % 3]), np.searchsorted([0., 0.5], x), np.repeat([1, n], 2), np.diff([1, n, 9]),
                np.interp(x, [0., 1.], [2., 3.]), np.roll([1, n, 2], 1), np.dot([[1, n], [0, 2]], [n, 1]))
