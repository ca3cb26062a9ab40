# entry: run
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Critic(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Convolution2D(None, 8, 4, 2, 1)
            self.ln = L.LayerNormalization()
            self.l2 = L.Linear(None, 1)

    def forward(self, x):
        h = F.leaky_relu(self.l1(x))
        n = h.shape
        h = self.ln(h.reshape(n[0], -1)).reshape(n)
        return self.l2(h)


def run():
    D = Critic()
    xr = chainer.Variable(np.random.rand(4, 3, 8, 8).astype('f'))
    xf = chainer.Variable(np.random.rand(4, 3, 8, 8).astype('f'))
    eps = np.random.uniform(0, 1, size=4).astype('f')[:, None, None, None]
    x_mid = eps * xr + (1.0 - eps) * xf
    y_mid = D(x_mid)
    g, = chainer.grad([y_mid], [x_mid], enable_double_backprop=True)
    g = F.sqrt(F.batch_l2_norm_squared(g))
    gp = F.mean_squared_error(g, np.ones_like(g.array))
    loss = F.mean(D(xf)) - F.mean(D(xr)) + 10 * gp
    D.cleargrads()
    loss.backward()
    xf.unchain_backward()
    opt = chainer.optimizers.RMSprop(5e-5).setup(D)
    opt.update()
    for p in D.params():
        p.array = np.clip(p.array, -0.01, 0.01)
    return loss, gp, g, D.l1.W.grad, D.ln.gamma, [p.array for p in D.params()]
