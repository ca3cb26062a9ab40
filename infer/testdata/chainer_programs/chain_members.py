# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    c = chainer.Chain(a=L.Linear(2, 3))
    c.add_link('b', L.Linear(3, 4))
    c.add_persistent('n', np.zeros(3, 'f'))
    c.add_param('p', shape=(2, 2), initializer=chainer.initializers.Identity())
    with c.init_scope():
        c.q = chainer.Parameter(1.0, (3,))
    c.b.add_persistent('k', 3)
    d = {k: v.shape for k, v in c.namedparams()}
    return d, c['a'] is c.a, [n for n, _ in c.namedlinks()], c.p, c.q, c.n, [p.name for p in c.params()], c.count_params(), sum(1 for _ in c.links(skipself=True))
