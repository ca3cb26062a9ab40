# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import optimizers


def forward(x):
    out = []
    for make in (optimizers.SGD, optimizers.Adam, optimizers.AdaDelta, optimizers.AdaGrad, optimizers.RMSprop, optimizers.NesterovAG,
                 optimizers.RMSpropGraves, optimizers.SMORMS3, optimizers.CorrectedMomentumSGD, optimizers.MSVAG):
        net = L.Linear(3, 2)
        opt = make()
        opt.setup(net)
        net.cleargrads()
        loss = F.sum(net(x) ** 2)
        loss.backward()
        opt.update()
        out.append((type(opt).__name__, opt.t, sorted(net.W.update_rule.state or {})))
    return out
