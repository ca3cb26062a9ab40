# entry: run
# arg: x:f32[4,3]
# arg: y:f32[4,5]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import Sequential
from functools import partial


def split_two(h):
    return h[:, :2], h[:, 2:]


class TwoIn(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(None, 4)
            self.b = L.Linear(None, 4)

    def forward(self, x, y):
        return self.a(x) + self.b(y)


def run(x, y):
    seq = Sequential(L.Bilinear(3, 5, 6), F.relu, partial(F.dropout, ratio=0.3))
    a = seq(x, y)
    s2 = Sequential(TwoIn(), split_two, lambda p, q: F.concat([q, p]), L.Linear(7))
    b = s2(x, y)
    block = Sequential(L.Linear(4), F.relu)
    net = Sequential(L.Linear(3, 4), *[block.repeat(1) for _ in range(2)], block.repeat(3, mode='init'), lambda h: F.sum(h, axis=1))
    c = net(x)
    flat = net.flatten()
    net2 = Sequential(L.Linear(3, 4))
    net2.extend([F.tanh, L.Linear(4, 2)])
    net2.insert(1, L.BatchNormalization(4))
    net2.append(F.softmax)
    d = net2(x)
    e = net2[:2](x)
    f = (net2 + Sequential(F.exp))(x)
    removed = net2.pop()
    net2.remove_by_layer_type('BatchNormalization')
    return a, b, c, d, e, f, len(flat), len(net2), net2.count_by_layer_type('Linear'), [type(l).__name__ for l in net2 if isinstance(l, chainer.Link)], net[1][0].W
