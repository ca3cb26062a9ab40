# entry: main
# arg: x:f32[2,5]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import optimizers, serializers


class MLP(chainer.Chain):
    def __init__(self, units=8):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(None, units)
            self.l2 = L.Linear(units, 3)

    def forward(self, x):
        return self.l2(F.relu(self.l1(x)))


def trained(kind, x):
    model = MLP()
    optimizer = kind().setup(model)
    optimizer.update(lambda v: F.sum(model(v)), x)
    optimizer.new_epoch()
    return optimizer


def saved(optimizer):
    target = serializers.DictionarySerializer()
    optimizer.serialize(target)
    return target.target


def read(kind, kept, units=8):
    model = MLP(units)
    optimizer = kind().setup(model)
    optimizer.serialize(serializers.NpzDeserializer(kept))
    return optimizer


def main(x):
    adam = saved(trained(optimizers.Adam, x))
    again = read(optimizers.Adam, adam)
    rule = again.target.l1.W.update_rule
    missing = None
    try:
        read(optimizers.Adam, saved(trained(optimizers.SGD, x)))
    except KeyError as e:
        missing = type(e).__name__
    other = read(optimizers.MomentumSGD, saved(trained(optimizers.MomentumSGD, x)), 9)
    return again.t, again.epoch, rule.t, rule.state['m'], sorted(adam), missing, other.target.l1.W.update_rule.state['v'], again.target.l1.W.is_initialized
