# entry: forward
# arg: z:f32[4,6]
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(z, x):
    gen = chainer.Sequential(L.Linear(6, 8), F.relu, L.Linear(8, 3))
    dis = chainer.Sequential(L.Linear(3, 8), F.leaky_relu, L.Linear(8, 1))
    og, od = chainer.optimizers.Adam(beta1=0.5), chainer.optimizers.Adam(beta1=0.5)
    og.setup(gen)
    od.setup(dis)
    fake = gen(z)
    lg = F.mean(F.softplus(-dis(fake)))
    gen.cleargrads()
    lg.backward()
    og.update()
    fake.unchain_backward()
    ld = F.mean(F.softplus(-dis(x))) + F.mean(F.softplus(dis(fake)))
    dis.cleargrads()
    ld.backward()
    od.update()
    gp_in = chainer.Variable(x)
    g, = chainer.grad([dis(gp_in)], [gp_in], enable_double_backprop=True)
    gp = F.mean((F.sqrt(F.batch_l2_norm_squared(g)) - 1) ** 2)
    return lg, ld, gp, g
