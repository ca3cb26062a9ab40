# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Count(chainer.training.Extension):
    n = 0

    def initialize(self, trainer):
        self.start = trainer.updater.iteration

    def __call__(self, trainer):
        self.n += 1
        self.last = trainer.updater.iteration

    def finalize(self):
        self.done = True


def main():
    model = L.Classifier(L.Linear(4, 3))
    data = chainer.datasets.TupleDataset(np.random.rand(10, 4).astype('f'), np.random.randint(0, 3, 10).astype('i'))
    it = chainer.iterators.SerialIterator(data, 5)
    opt = chainer.optimizers.SGD().setup(model)
    tr = chainer.training.Trainer(chainer.training.StandardUpdater(it, opt), (1, 'epoch'), out='/tmp/zz_out')
    a, b = Count(), Count()
    tr.extend(a)
    tr.extend(b, name='b', trigger=(1, 'epoch'))
    tr.run()
    return a.n, b.n, a.last, b.last, a.start, a.done, tr.updater.iteration, tr.get_extension('b') is b
