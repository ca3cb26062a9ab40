# entry: run
# arg: x:f32[4,3]
import io

import chainer
import chainer.functions as F
import chainer.links as L
from chainer import serializers


class Net(chainer.Chain):
    def __init__(self, n, extra=False):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(3, n)
            if extra:
                self.l2 = L.Linear(n, n)

    def forward(self, x):
        return self.l1(x)


def run(x):
    buf = io.BytesIO()
    serializers.save_npz(buf, Net(4))
    buf.seek(0)
    n = Net(4, extra=True)
    serializers.load_npz(buf, n)
    return n(x)
