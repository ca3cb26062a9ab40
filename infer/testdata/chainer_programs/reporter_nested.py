# entry: forward
# arg: x:f32[4,3]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.cls = L.Classifier(L.Linear(3, 3))

    def forward(self, x, t):
        loss = self.cls(x, t)
        chainer.report({'total': loss * 2}, self)
        return loss


def forward(x, t):
    net = Net()
    rep = chainer.Reporter()
    rep.add_observer('net', net)
    rep.add_observers('net', net.namedlinks(skipself=True))
    obs = {}
    with rep.scope(obs):
        net(x, t)
    return sorted(obs), obs['net/total'], obs['net/cls/accuracy']
