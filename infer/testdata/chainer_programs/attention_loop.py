# entry: Att()
# arg: xs=[f32[5,4], f32[3,4]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Att(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.q = L.Linear(4, 6, nobias=True)
            self.cell = L.StatelessLSTM(6, 6)
            self.out = L.Linear(None, 3)

    def forward(self, xs):
        lens = [len(x) for x in xs]
        hs = F.pad_sequence(xs)
        b, t, d = hs.shape
        keys = F.reshape(self.q(F.reshape(hs, (-1, d))), (b, t, 6))
        mask = np.where(np.arange(t)[None] < np.array(lens)[:, None], 0, -1e10).astype(np.float32)
        c = h = None
        z = self.xp.zeros((b, 6), np.float32)
        ys = []
        for _ in range(3):
            c, h = self.cell(c, h, z)
            w = F.softmax(F.squeeze(F.batch_matmul(keys, F.expand_dims(h, 2)), 2) + mask) if False else F.softmax(F.sum(keys * F.broadcast_to(h[:, None], keys.shape), axis=2) + mask)
            z = F.sum(keys * F.broadcast_to(w[..., None], keys.shape), axis=1)
            ys.append(self.out(F.concat([h, z])))
        return F.stack(ys, axis=1), w, c
