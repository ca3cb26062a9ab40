# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Count(chainer.LinkHook):
    name = 'Count'

    def __init__(self):
        self.shapes = []

    def forward_preprocess(self, args):
        self.shapes.append(args.args[0].shape)

    def forward_postprocess(self, args):
        self.shapes.append(args.out.shape)


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(3, 4)
            self.b = L.Linear(None, 2)

    def forward(self, x):
        h = Count()
        with h:
            y = self.b(F.relu(self.a(x)))
        k = Count()
        self.a.add_hook(k)
        z = self.a(x)
        self.a.delete_hook('Count')
        self.a(x)
        return y, h.shapes, k.shapes, z
