# entry: Net()
# arg: x:f32[4,4]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.model = L.Classifier(L.Linear(None, 3))

    def forward(self, x, t):
        seen = []

        @chainer.training.make_extension(trigger=(1, 'iteration'), priority=chainer.training.PRIORITY_READER)
        def note(trainer):
            seen.append(trainer.updater.iteration)

        it = chainer.iterators.SerialIterator(list(zip(x, t)), 4, repeat=True, shuffle=False)
        opt = chainer.optimizers.Adam().setup(self.model)
        trainer = chainer.training.Trainer(chainer.training.StandardUpdater(it, opt), (1, 'iteration'))
        trainer.extend(note)
        trainer.run()
        return len(seen) > 0, type(seen[0]).__name__, self.model.predictor.W, opt.target is self.model
