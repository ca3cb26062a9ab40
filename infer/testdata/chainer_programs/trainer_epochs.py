# entry: run
import os
import numpy as np
import chainer
import chainer.links as L
from chainer import training, datasets, iterators, optimizers
from chainer.training import extensions, triggers


class Lr(training.Extension):
    trigger = 1, 'epoch'
    priority = training.PRIORITY_WRITER

    def __init__(self, attr, rate, optimizer=None):
        self._attr, self._rate, self._init = attr, rate, None

    def initialize(self, trainer):
        self._init = getattr(trainer.updater.get_optimizer('main'), self._attr)

    def __call__(self, trainer):
        opt = trainer.updater.get_optimizer('main')
        setattr(opt, self._attr, self._init * self._rate ** trainer.updater.epoch)
        self.seen = trainer.observation

    def serialize(self, serializer):
        self._init = serializer('init', self._init)


class MyEval(extensions.Evaluator):
    default_name = 'val'

    def evaluate(self):
        it = self._iterators['main']
        net = self._targets['main']
        it.reset()
        total, rows = [], []
        for batch in it:
            x, t = self.converter(batch, self.device)
            with chainer.using_config('train', False), chainer.no_backprop_mode():
                y = net.predictor(x)
            total.append((y.array.argmax(axis=1) == t).mean())
            rows.append(y.array)
        out = np.concatenate(rows, axis=0)
        self.out = out
        observation = {}
        with chainer.reporter.report_scope(observation):
            chainer.reporter.report({'acc': np.mean(total), 'n': len(out)}, net)
        return observation


def run():
    x = np.random.rand(30, 6).astype('f')
    t = np.random.randint(0, 3, 30).astype('i')
    train, test = datasets.split_dataset_random(datasets.TupleDataset(x, t), 20, seed=0)
    model = L.Classifier(chainer.Sequential(L.Linear(6, 8), chainer.functions.relu, L.Linear(8, 3)))
    opt = optimizers.MomentumSGD(lr=0.1).setup(model)
    for p in model.predictor[0].params():
        p.update_rule.add_hook(chainer.optimizer_hooks.WeightDecay(1e-3))
    model.predictor[2].b.update_rule.enabled = False
    tr = iterators.SerialIterator(train, 10)
    te = iterators.SerialIterator(test, 4, repeat=False, shuffle=False)
    trainer = training.Trainer(training.StandardUpdater(tr, opt), (2, 'epoch'))
    ev = MyEval(te, model)
    lr = Lr('lr', 0.5)
    trainer.extend(ev)
    trainer.extend(lr)
    trainer.extend(extensions.ExponentialShift('momentum', 0.5), trigger=(1, 'epoch'))
    trainer.extend(extensions.LogReport(log_name=None))
    trainer.extend(extensions.observe_lr())
    trainer.extend(extensions.snapshot_object(model, 'm_{.updater.epoch}'), trigger=triggers.MaxValueTrigger('val/main/acc'))

    @training.make_extension(trigger=(1, 'epoch'))
    def count(trainer):
        trainer.observed = sorted(trainer.observation)

    trainer.extend(count)
    trainer.run()
    return ev.out, trainer.updater.epoch, model.predictor[0].W, opt.target is model, trainer.get_extension("count").trigger is not None, lr._rate, len(test), x[0]
