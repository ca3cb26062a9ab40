# entry: forward
import chainer
import chainer.links as L
import numpy as np
from chainer import training
from chainer.training import extensions


def forward():
    data = chainer.datasets.TupleDataset(np.zeros((8, 3), 'f'), np.zeros(8, 'i'))
    it = chainer.iterators.SerialIterator(data, 4)
    val = chainer.iterators.SerialIterator(data, 4, repeat=False, shuffle=False)
    model = L.Classifier(L.Linear(None, 2))
    opt = chainer.optimizers.SGD().setup(model)
    up = training.updaters.StandardUpdater(it, opt)
    ev = extensions.Evaluator(val, model)
    r = ev()
    return sorted(r), r['main/loss'] >= 0, ev.name, ev.default_name, sorted(ev.get_all_iterators()), sorted(up.get_all_optimizers()), model.predictor.W.shape
