# entry: run
import numpy as np
import chainer
import chainer.links as L
from chainer import training


def train(n, size, stop, **options):
    model = L.Classifier(L.Linear(3, 2))
    opt = chainer.optimizers.SGD().setup(model)
    data = chainer.datasets.TupleDataset(np.zeros((n, 3), 'f'), np.zeros(n, 'i'))
    it = chainer.iterators.SerialIterator(data, size, **options)
    updater = training.StandardUpdater(it, opt)
    training.Trainer(updater, stop).run()
    return updater.iteration, updater.epoch, updater.epoch_detail, updater.is_new_epoch, updater.previous_epoch_detail, it.current_position, opt.t, opt.epoch


def run():
    return train(200, 50, (2, 'epoch')), train(100, 30, (3, 'epoch')), train(70, 32, (5, 'iteration'), shuffle=False), train(20, 7, (1, 'epoch')), train(128, 128, (4, 'epoch'))
