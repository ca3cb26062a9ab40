# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Eval(chainer.training.extensions.Evaluator):
    def evaluate(self):
        it = self.get_iterator('main')
        it.reset()
        s = chainer.DictSummary()
        for batch in it:
            obs = {}
            with chainer.reporter.report_scope(obs):
                self.get_target('main')(*chainer.dataset.concat_examples(batch))
            s.add(obs)
        self.calls = getattr(self, 'calls', 0) + 1
        return s.compute_mean()


def main():
    model = L.Classifier(L.Linear(4, 3))
    data = chainer.datasets.TupleDataset(np.random.rand(10, 4).astype('f'), np.random.randint(0, 3, 10).astype('i'))
    it = chainer.iterators.SerialIterator(data, 5)
    vit = chainer.iterators.SerialIterator(data, 4, repeat=False, shuffle=False)
    opt = chainer.optimizers.SGD().setup(model)
    tr = chainer.training.Trainer(chainer.training.StandardUpdater(it, opt), (2, 'epoch'), out='/tmp/zz_out')
    ev = Eval(vit, model)
    tr.extend(ev)
    tr.run()
    return ev.calls, ev.name, sorted(k for k in tr.observation if k.startswith('val') or k.startswith('main'))
