# entry: forward
# arg: n=6
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import training
from chainer.training import extensions


def forward(n):
    model = L.Classifier(chainer.Sequential(L.Linear(None, 8), F.relu, L.Linear(8, 3)))
    opt = chainer.optimizers.Adam()
    opt.setup(model)
    opt.add_hook(chainer.optimizer_hooks.WeightDecay(1e-4))
    x = np.random.rand(n, 5).astype('f')
    t = np.zeros(n, 'i')
    data = chainer.datasets.TupleDataset(x, t)
    a, b = chainer.datasets.split_dataset(data, 4)
    it = chainer.iterators.SerialIterator(a, 2)
    test = chainer.iterators.SerialIterator(b, 2, repeat=False, shuffle=False)
    up = training.updaters.StandardUpdater(it, opt)
    tr = training.Trainer(up, (4, 'iteration'), out='result')
    tr.extend(extensions.Evaluator(test, model))
    tr.run()
    return up.iteration, model.y, model.loss, model.accuracy, model.predictor[0].W, len(a), len(b)
