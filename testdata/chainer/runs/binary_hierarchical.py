# entry: Net()
# arg: x:f32[N,5]
# arg: t:i32[N]
# N: 2,5
import chainer
import chainer.links as L


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.loss = L.BinaryHierarchicalSoftmax(5, ((0, 1), (2, (3, 4))))

    def forward(self, x, t):
        return self.loss(x, t)
