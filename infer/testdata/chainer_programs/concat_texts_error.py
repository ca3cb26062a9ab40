# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    a = [(np.ones((3,), 'f'), 1), (np.ones((3,), 'f'), 2)]
    x, t = chainer.dataset.concat_examples(a)
    p = chainer.dataset.concat_examples([np.ones(2, 'f'), np.ones(4, 'f')], padding=0)
    q, r = chainer.dataset.concat_examples([(np.ones(2, 'f'), np.ones((2, 3), 'i')), (np.ones(4, 'f'), np.ones((1, 5), 'i'))], padding=(0, -1))
    d = chainer.dataset.concat_examples([{'a': 1.5, 'b': [1, 2]}, {'a': 2.5, 'b': [3, 4]}])
    s = chainer.dataset.concat_examples([('x', 1), ('y', 2)])
    u = chainer.dataset.concat_examples([np.float32(1), np.float32(2)])
    return x, t, t.dtype, p, q, r, d, u, s[1]
