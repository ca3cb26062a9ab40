# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.ChainList):
    def __init__(self):
        super().__init__(L.Linear(3, 3), L.Linear(3, 4))
        self.add_link(L.Linear(4, 5))
        self.append(L.Linear(5, 3))
        self.insert(0, L.Linear(3, 3))
        self.last = [self.pop()]
        self[0] = L.Linear(3, 3, nobias=True)
        self.extend(self.last)
        del self[1]

    def forward(self, x):
        h = x
        for link in self:
            h = F.relu(link(h))
        last = self.last[0]
        return h, len(self), [l.W.shape for l in self], self.index(last), last in self, self[-1] is last
