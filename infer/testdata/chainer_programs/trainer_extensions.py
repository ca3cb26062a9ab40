# entry: Net()
# arg: x:f32[6,4]
# arg: t:i32[6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.model = L.Classifier(L.Linear(4, 3))

    def forward(self, x, t):
        data = chainer.datasets.TupleDataset(x, t)
        it = chainer.iterators.SerialIterator(data, 2, shuffle=False)
        opt = chainer.optimizers.MomentumSGD(lr=0.1)
        opt.setup(self.model)
        opt.add_hook(chainer.optimizer_hooks.WeightDecay(1e-4))
        updater = chainer.training.StandardUpdater(it, opt)
        trainer = chainer.training.Trainer(updater, (1, 'iteration'), out='/tmp/out')
        trainer.extend(chainer.training.extensions.ExponentialShift('lr', 0.5), trigger=(1, 'epoch'))
        trainer.extend(chainer.training.extensions.observe_lr())
        before = self.model.predictor.W.array.copy()
        trainer.run()
        return before, updater.iteration, updater.epoch, updater.is_new_epoch, self.model.predictor.W.array, opt.t, it.epoch_detail
