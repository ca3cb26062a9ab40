# entry: Step()
# arg: x:f32[4,3,16,16]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Step(chainer.Chain):
    def __init__(self):
        super(Step, self).__init__()
        with self.init_scope():
            self.gen = chainer.Sequential(L.Linear(8, 3 * 16 * 16), lambda h: F.reshape(h, (-1, 3, 16, 16)))
            self.dis = chainer.Sequential(L.Convolution2D(3, 4, 4, 2), F.leaky_relu, L.Linear(None, 1))

    def loss_dis(self, dis, y_fake, y_real):
        batchsize = len(y_fake)
        L1 = F.sum(F.softplus(-y_real)) / batchsize
        L2 = F.sum(F.softplus(y_fake)) / batchsize
        return L1 + L2

    def forward(self, x):
        opts = []
        for link in (self.gen, self.dis):
            opt = chainer.optimizers.Adam(alpha=2e-4, beta1=0.5)
            opt.setup(link)
            opts.append(opt)
        y_real = self.dis(chainer.Variable(x) / 255.)
        z = chainer.Variable(np.random.uniform(-1, 1, (len(x), 8)).astype(np.float32))
        x_fake = self.gen(z)
        y_fake = self.dis(x_fake)
        opts[1].update(self.loss_dis, self.dis, y_fake, y_real)
        opts[0].update(lambda y: F.sum(F.softplus(-y)) / len(y), y_fake)
        return y_fake, z.grad, self.gen[0].W.grad, self.dis[2].W.grad
