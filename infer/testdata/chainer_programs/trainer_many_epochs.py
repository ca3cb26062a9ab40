# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    model = L.Classifier(L.Linear(4, 3))
    data = chainer.datasets.TupleDataset(np.random.rand(10, 4).astype('f'), np.random.randint(0, 3, 10).astype('i'))
    it = chainer.iterators.SerialIterator(data, 5)
    opt = chainer.optimizers.SGD().setup(model)
    tr = chainer.training.Trainer(chainer.training.StandardUpdater(it, opt), (200, 'epoch'), out='/tmp/zz_out')
    acc = []
    tr.extend(lambda t: acc.append(1), name='l', trigger=(1, 'epoch'))
    tr.run()
    return tr.updater.iteration, acc[0]
