# entry: Att()
# arg: x:f32[2,6,8]
# arg: mask:bool[2,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Att(chainer.Chain):
    def __init__(self, n=8, heads=4):
        super(Att, self).__init__()
        self.heads = heads
        with self.init_scope():
            self.q = L.Linear(n, n, nobias=True)
            self.k = L.Linear(n, n, nobias=True)
            self.v = L.Linear(n, n, nobias=True)
            self.ln = L.LayerNormalization(n)
        self.add_param('scale', (1,), initializer=1.0)

    def split(self, h):
        b, t, n = h.shape
        return h.reshape(b, t, self.heads, -1).transpose(0, 2, 1, 3)

    def forward(self, x, mask):
        b, t, n = x.shape
        q, k, v = (self.split(l(x, n_batch_axes=2)) for l in (self.q, self.k, self.v))
        s = F.matmul(q, k, transb=True) / np.sqrt(n // self.heads).astype('f')
        m = np.broadcast_to(mask[:, None, None, :], s.shape)
        s = F.where(m, s, self.xp.full(s.shape, -np.inf, 'f'))
        a = F.dropout(F.softmax(s, axis=3), 0.1)
        o = F.matmul(a, v).transpose((0, 2, 1, 3))
        o = F.reshape(o, (b * t, n))
        o = self.ln(o + F.reshape(x, (-1, n)))
        return F.broadcast_to(self.scale, o.shape) * o, a
