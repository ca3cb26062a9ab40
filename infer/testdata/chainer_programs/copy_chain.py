# entry: Net()
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L
import copy


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(4, 4)
            self.b = self.a.copy()
            self.c = copy.deepcopy(self.a)
            self.d = L.Linear(None, 4)
            self.e = self.d.copy('init')
            self.s = chainer.Parameter(0, (1, 4))
        self.extra = [1, 2]

    def forward(self, x):
        h = self.e(self.d(self.c(self.b(self.a(x)))))
        n = self.copy('copy')
        m = self.copy('share')
        m.s.array += 1
        return h, n(x) if False else None, m.extra is self.extra, n.extra is self.extra, n.a.W.array is self.a.W.array, m.a.W.array is self.a.W.array, m.s is self.s, self.s + m.s, sorted(p for p, _ in m.namedparams())
