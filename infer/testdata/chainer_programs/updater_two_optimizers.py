# entry: GAN()
# arg: x:f32[4,2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Updater(chainer.training.StandardUpdater):
    def __init__(self, *args, **kwargs):
        self.gen, self.dis = kwargs.pop('models')
        super().__init__(*args, **kwargs)

    def update_core(self):
        gen_opt = self.get_optimizer('gen')
        dis_opt = self.get_optimizer('dis')
        batch = self.get_iterator('main').next()
        x = chainer.Variable(self.converter(batch, self.device))
        y_real = self.dis(x)
        z = np.random.normal(size=(len(batch), 3)).astype(np.float32)
        fake = self.gen(z)
        y_fake = self.dis(fake)
        dis_opt.update(lambda: F.sum(F.softplus(-y_real)) + F.sum(F.softplus(y_fake)))
        gen_opt.update(lambda: F.sum(F.softplus(-y_fake)))


class GAN(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.gen = L.Linear(3, 2)
            self.dis = L.Linear(2, 1)

    def forward(self, x):
        it = chainer.iterators.SerialIterator(x, 2)
        opts = {'gen': chainer.optimizers.Adam(), 'dis': chainer.optimizers.SGD(0.1)}
        opts['gen'].setup(self.gen)
        opts['dis'].setup(self.dis)
        updater = Updater(models=(self.gen, self.dis), iterator=it, optimizer=opts)
        updater.update()
        return self.gen.W.array, self.dis.W.grad, updater.iteration, sorted(updater.get_all_optimizers())
