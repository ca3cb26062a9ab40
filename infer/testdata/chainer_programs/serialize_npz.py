# entry: Net()
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(None, 5)
            self.bn = L.BatchNormalization(5)

    def forward(self, x):
        import io
        y = self.bn(self.l(x))
        buf = io.BytesIO()
        chainer.serializers.save_npz(buf, self)
        other = Net()
        buf.seek(0)
        chainer.serializers.load_npz(buf, other)
        return y, other.l.W.shape
