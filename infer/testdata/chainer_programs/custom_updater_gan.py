# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Generator(chainer.Chain):
    def __init__(self, n_hidden, ch=32, wscale=0.02):
        super(Generator, self).__init__()
        self.n_hidden = n_hidden
        self.bottom_width = 2
        self.ch = ch
        with self.init_scope():
            w = chainer.initializers.Normal(wscale)
            self.l0 = L.Linear(n_hidden, 2 * 2 * ch, initialW=w)
            self.dc1 = L.Deconvolution2D(ch, ch // 2, 4, 2, 1, initialW=w)
            self.dc2 = L.Deconvolution2D(ch // 2, 3, 4, 2, 1, initialW=w)
            self.bn0 = L.BatchNormalization(2 * 2 * ch)
            self.bn1 = L.BatchNormalization(ch // 2)

    def make_hidden(self, batchsize):
        dtype = chainer.get_dtype()
        return np.random.uniform(-1, 1, (batchsize, self.n_hidden, 1, 1)).astype(dtype)

    def forward(self, z):
        h = F.reshape(F.relu(self.bn0(self.l0(z))), (len(z), self.ch, self.bottom_width, self.bottom_width))
        h = F.relu(self.bn1(self.dc1(h)))
        return F.sigmoid(self.dc2(h))


def add_noise(device, h, sigma=0.2):
    if chainer.config.train:
        xp = device.xp
        return h + sigma * xp.random.randn(*h.shape).astype(h.dtype)
    return h


class Discriminator(chainer.Chain):
    def __init__(self, ch=16):
        super().__init__()
        with self.init_scope():
            self.c0 = L.Convolution2D(3, ch, 4, 2, 1)
            self.c1 = L.Convolution2D(ch, ch * 2, 4, 2, 1)
            self.l = L.Linear(None, 1)
            self.bn = L.BatchNormalization(ch * 2, use_gamma=False)

    def forward(self, x):
        device = self.device
        h = F.leaky_relu(self.c0(add_noise(device, x)))
        h = F.leaky_relu(add_noise(device, self.bn(self.c1(h))))
        return self.l(h)


class DCGANUpdater(chainer.training.updaters.StandardUpdater):
    def __init__(self, *args, **kwargs):
        self.gen, self.dis = kwargs.pop('models')
        super(DCGANUpdater, self).__init__(*args, **kwargs)

    def loss_dis(self, dis, y_fake, y_real):
        batchsize = len(y_fake)
        L1 = F.sum(F.softplus(-y_real)) / batchsize
        L2 = F.sum(F.softplus(y_fake)) / batchsize
        loss = L1 + L2
        chainer.report({'loss': loss}, dis)
        return loss

    def loss_gen(self, gen, y_fake):
        batchsize = len(y_fake)
        loss = F.sum(F.softplus(-y_fake)) / batchsize
        chainer.report({'loss': loss}, gen)
        return loss

    def update_core(self):
        gen_optimizer = self.get_optimizer('gen')
        dis_optimizer = self.get_optimizer('dis')
        batch = self.get_iterator('main').next()
        device = self.device
        x_real = Variable(self.converter(batch, device)) / 255.
        gen, dis = self.gen, self.dis
        batchsize = len(batch)
        y_real = dis(x_real)
        z = Variable(device.xp.asarray(gen.make_hidden(batchsize)))
        x_fake = gen(z)
        y_fake = dis(x_fake)
        dis_optimizer.update(self.loss_dis, dis, y_fake, y_real)
        gen_optimizer.update(self.loss_gen, gen, y_fake)
        self.last = x_fake


def make_optimizer(model, alpha=0.0002, beta1=0.5):
    optimizer = chainer.optimizers.Adam(alpha=alpha, beta1=beta1)
    optimizer.setup(model)
    optimizer.add_hook(chainer.optimizer_hooks.WeightDecay(0.0001), 'hook_dec')
    return optimizer


def main():
    gen, dis = Generator(10), Discriminator()
    og, od = make_optimizer(gen), make_optimizer(dis)
    train = np.random.rand(40, 3, 8, 8).astype('f') * 255
    it = chainer.iterators.SerialIterator(train, 8)
    up = DCGANUpdater(models=(gen, dis), iterator=it, optimizer={'gen': og, 'dis': od}, device=-1)
    up.update()
    up.update()
    return up.last, dis.l.W, gen.l0.W.grad.shape, up.iteration, sorted(n for n, p in dis.namedparams())
