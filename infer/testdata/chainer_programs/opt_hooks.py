# entry: forward
# arg: x:f32[4,3]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import optimizers, optimizer_hooks as H


def forward(x, t):
    out = []
    for o in (optimizers.SGD(), optimizers.MomentumSGD(0.1, 0.8), optimizers.NesterovAG(), optimizers.AdaGrad(), optimizers.AdaDelta(), optimizers.Adam(1e-3), optimizers.AMSGrad(), optimizers.AdaBound(), optimizers.RMSprop(), optimizers.RMSpropGraves(), optimizers.SMORMS3(), optimizers.CorrectedMomentumSGD(), optimizers.MSVAG()):
        m = L.Classifier(L.Linear(3, 5))
        o.setup(m)
        o.add_hook(H.GradientClipping(1.0))
        o.add_hook(H.WeightDecay(1e-3), 'wd')
        o.update(m, x, t)
        out.append((type(o).__name__, o.t, m.loss, m.accuracy, m.predictor.W.grad, sorted(m.predictor.W.update_rule.state or {}), o.hyperparam.lr if hasattr(o.hyperparam, 'lr') else None if True else 0) [:6])
    return out
