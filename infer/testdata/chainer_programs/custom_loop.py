# entry: forward
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer.dataset import concat_examples


class MLP(chainer.Chain):
    def __init__(self, n):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(None, n)
            self.l2 = L.Linear(None, 3)

    def forward(self, x):
        return self.l2(F.relu(self.l1(x)))


def forward():
    train = chainer.datasets.TupleDataset(np.zeros((12, 5), 'f'), np.zeros(12, 'i'))
    test = chainer.datasets.TupleDataset(np.zeros((5, 5), 'f'), np.zeros(5, 'i'))
    it = chainer.iterators.SerialIterator(train, 4)
    tit = chainer.iterators.SerialIterator(test, 2, repeat=False, shuffle=False)
    model = MLP(7)
    opt = chainer.optimizers.Adam()
    opt.setup(model)
    opt.add_hook(chainer.optimizer_hooks.WeightDecay(1e-4))
    opt.add_hook(chainer.optimizer_hooks.GradientClipping(1.0), 'clip')
    sizes = []
    while it.epoch < 2:
        x, t = concat_examples(it.next())
        y = model(x)
        loss = F.softmax_cross_entropy(y, t)
        model.cleargrads()
        loss.backward()
        opt.update()
        if it.is_new_epoch:
            acc = []
            for batch in tit:
                xt, tt = concat_examples(batch)
                with chainer.using_config('train', False), chainer.using_config('enable_backprop', False):
                    y = model(xt)
                sizes.append(y.shape)
                acc.append(F.accuracy(y, tt).array)
            tit.reset()
    return sizes, len(acc), np.mean(acc), it.epoch, model.l1.W.grad, opt.t
