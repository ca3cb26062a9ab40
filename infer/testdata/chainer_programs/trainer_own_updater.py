# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Gan(chainer.training.StandardUpdater):
    def update_core(self):
        batch = self.get_iterator('main').next()
        x = self.converter(batch)
        opt = self.get_optimizer('main')
        y = opt.target(x)
        loss = F.mean(y ** 2)
        opt.target.cleargrads()
        loss.backward()
        opt.update()
        chainer.report({'loss': loss}, opt.target)


def main():
    model = L.Linear(4, 3)
    it = chainer.iterators.SerialIterator([np.ones(4, 'f')] * 6, 3)
    opt = chainer.optimizers.Adam().setup(model)
    tr = chainer.training.Trainer(Gan(it, opt), (5, 'iteration'), out='/tmp/zz_out')
    losses = []
    tr.extend(lambda t: losses.append(t.observation['main/loss'].array), name='l', trigger=(1, 'iteration'))
    tr.run()
    return len(losses), losses[0], np.stack(losses)
