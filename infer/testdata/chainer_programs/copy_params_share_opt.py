# entry: forward
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L


class Tied(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.e = L.EmbedID(10, 4)
            self.o = L.Linear(4, 10, initialW=None)
        self.o.W = self.e.W

    def forward(self, x):
        return self.o(x)


def forward(x):
    net = Tied()
    opt = chainer.optimizers.SGD(0.1).setup(net)
    loss = F.sum(net(x))
    net.cleargrads()
    loss.backward()
    opt.update()
    return net(x), net.e.W is net.o.W, net.count_params(), [n for n, _ in net.namedparams()], net.e.W.grad is None
