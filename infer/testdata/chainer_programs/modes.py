# entry: Net()
# arg: x:f32[4,3,6,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.bn = L.BatchNormalization(3)
            self.gn = L.GroupNormalization(3)
            self.ln = L.LayerNormalization()
            self.brn = L.BatchRenormalization(3)

    def forward(self, x):
        a = self.bn(x)
        with chainer.using_config('train', False):
            b = self.bn(F.dropout(x))
        c = self.bn(x, finetune=True)
        self.bn.start_finetuning()
        return a, b, c, self.gn(x), self.ln(F.reshape(x, (4, -1))), self.brn(x), F.normalize(F.reshape(x, (4, -1))), F.local_response_normalization(x), self.bn.N
