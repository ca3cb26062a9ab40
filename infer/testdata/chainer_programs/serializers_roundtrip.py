# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
import io


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(None, 4)
            self.bn = L.BatchNormalization(4)

    def forward(self, x):
        y = self.bn(self.l(x))
        f = io.BytesIO()
        chainer.serializers.save_npz(f, self)
        f.seek(0)
        other = chainer.Chain()
        with other.init_scope():
            other.l = L.Linear(3, 4)
            other.bn = L.BatchNormalization(4)
        chainer.serializers.load_npz(f, other)
        d = chainer.serializers.DictionarySerializer()
        d.save(self)
        return y, other.l(x), sorted(d.target), other.bn.avg_mean, d.target['l/W']
