# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__(pre=L.Linear(3, 4))
        self.add_link('post', L.Linear(None, 2))
        self.add_persistent('step', 3)
        with self.init_scope():
            self.scale = chainer.Parameter(chainer.initializers.Constant(2), (1,))
            self.lst = chainer.ChainList(L.Linear(4, 4), L.Linear(4, 4, nobias=True))
        self.register_persistent('step')
        self.table = {'a': L.Linear(1, 1)}

    def forward(self, x):
        h = self['pre'](x)
        for l in self.lst:
            h = F.relu(l(h)) + h
        for i, l in enumerate(self.lst.children()):
            h = l(h) * self.scale
        y = self.post(h)
        return (y, [n for n, _ in self.namedparams()], [n for n, _ in self.namedlinks()], sorted(c.name for c in self.children()), self.count_params(), [n for n, p in self.namedparams(include_uninit=False)], len(list(self.links(skipself=True))),
                self.within_init_scope, hasattr(self, 'table'), self.step, self.pre.name, self.name, self.xp is np, len(self.lst), self.lst[1].b is None, self.post.W)
