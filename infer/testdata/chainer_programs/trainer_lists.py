# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    model = L.Classifier(L.Linear(4, 3))
    data = chainer.datasets.TupleDataset(np.random.rand(10, 4).astype('f'), np.random.randint(0, 3, 10).astype('i'))
    it = chainer.iterators.SerialIterator(data, 4)
    opt = chainer.optimizers.SGD().setup(model)
    tr = chainer.training.Trainer(chainer.training.StandardUpdater(it, opt), (4, 'epoch'), out='/tmp/zz_out')
    epochs, its, seen, never, byname = [], [], {}, [], []

    @chainer.training.make_extension(trigger=(1, 'epoch'))
    def note(trainer):
        epochs.append((trainer.updater.epoch, trainer.updater.iteration))

    def every(trainer):
        its.append(trainer.updater.epoch_detail)
        seen[trainer.updater.iteration] = trainer.observation['main/accuracy'].dtype

    tr.extend(note)
    tr.extend(every, trigger=(3, 'iteration'))
    tr.extend(lambda t: never.append(1), name='never', trigger=(10, 'epoch'))
    tr.extend(lambda t: byname.append(t.updater.is_new_epoch), name='by', trigger=(2, 'epoch'))
    tr.run()
    return epochs, its, sorted(seen), never, byname, tr.updater.iteration, it.epoch, opt.t
