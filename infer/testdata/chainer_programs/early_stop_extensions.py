# entry: run
import tempfile

import chainer
import chainer.functions as F
import chainer.links as L
from chainer import training
from chainer.training import extensions, triggers
import numpy as np


class AE(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.e = L.Linear(None, 3)
            self.d = L.Linear(3, 6)

    def forward(self, x):
        return self.d(F.sigmoid(self.e(x)))


class TestModeEvaluator(extensions.Evaluator):
    def evaluate(self):
        model = self.get_target('main')
        with chainer.using_config('train', False):
            ret = super(TestModeEvaluator, self).evaluate()
        return ret


def loss_func(model):
    def f(x):
        y = model(x)
        loss = F.mean_squared_error(y, x)
        chainer.report({'loss': loss}, model)
        return loss
    return f


def run():
    x = np.random.rand(100, 6).astype('f')
    m = AE()
    opt = chainer.optimizers.Adam()
    opt.setup(m)
    opt.add_hook(chainer.optimizer_hooks.GradientNoise(0.1))
    it = chainer.iterators.SerialIterator(x, 10)
    vit = chainer.iterators.SerialIterator(x[:25], 10, False, False)
    stop = triggers.EarlyStoppingTrigger(monitor='validation/main/loss', check_trigger=(1, 'epoch'), patients=2, max_trigger=(3, 'epoch'))
    lf = loss_func(m)
    tr = training.Trainer(training.StandardUpdater(it, opt, loss_func=lf, device=-1), stop, out=tempfile.mkdtemp())
    ev = TestModeEvaluator(vit, m, eval_func=lf, device=-1)
    tr.extend(ev)
    tr.extend(extensions.LogReport())
    tr.extend(extensions.ParameterStatistics(m.e, {'mean': np.mean}))
    tr.extend(extensions.LinearShift('alpha', (1e-3, 1e-4), (1, 20)))
    tr.extend(extensions.snapshot_object(m, 'model_{.updater.epoch}'), trigger=triggers.MinValueTrigger('main/loss'))
    tr.extend(extensions.observe_lr('main'))
    tr.extend(extensions.observe_value('n', lambda t: 3))
    tr.run()
    r = ev()
    return m.e.W, m(x[:2]), sorted(r)
