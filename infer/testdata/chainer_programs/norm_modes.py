# entry: Net()
# arg: x:f32[4,6,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.bn = L.BatchNormalization(axis=(0, 2))
            self.bf = L.BatchNormalization(6, use_beta=False, decay=0.5)
            self.ln = L.LayerNormalization(30)
            self.gn = L.GroupNormalization(3)
            self.br = L.BatchRenormalization(6)

    def forward(self, x):
        a = self.bn(x)
        b = self.bf(x, finetune=True)
        with chainer.using_config('train', False):
            c = self.bf(x)
        return a, b, c, self.ln(x.reshape(4, 30)), self.gn(x), self.br(x[:, :, 0]), self.bn.avg_mean, self.bf.N, self.bf.gamma.shape, F.fixed_batch_normalization(x[:, :, 0], np.ones(6, 'f'), np.zeros(6, 'f'), np.zeros(6, 'f'), np.ones(6, 'f'))
