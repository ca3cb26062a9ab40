# entry: Net()
# arg: x:f32[N,4]
# N: 2,5
import chainer
import chainer.links as L


class Inner(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(None, 3)
        self.add_persistent('rate', 1.0)

    def forward(self, x):
        return self.l(x) * self.rate


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.inner = Inner()
        self.step = 0
        self.register_persistent('step')
        self.add_persistent('ready', False)

    def forward(self, x):
        if not self.ready:  # what is saved is not what the constructors set
            self.step = 7
            self.ready = True
            self.inner.rate = 0.25
            return self.inner(x)
        return self.inner(x) + self.step
