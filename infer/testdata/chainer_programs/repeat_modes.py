# entry: forward
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L


class Block(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(None, 4)
            self.bn = L.BatchNormalization(4)

    def forward(self, x):
        return F.relu(self.bn(self.l(x)))


def forward(x):
    out = []
    for mode in ('init', 'copy', 'share'):
        net = Block().repeat(3, mode)
        y = net(x)
        out.append((type(net).__name__, len(net), y, net.count_params(), len(list(net.params())), net[0].l.W is net[1].l.W, net[0].l.W.array is net[1].l.W.array,
                    net[0].bn.avg_mean is net[1].bn.avg_mean, [n for n, p in net.namedparams()]))
    return out
