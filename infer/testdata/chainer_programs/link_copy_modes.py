# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(3, 3)
        self.copies = [self.l.copy(mode=m) for m in ('share', 'copy', 'init')]
        self.l.disable_update()

    def forward(self, x):
        other = self.copy()
        other.copyparams(self)
        self.addgrads(other) if False else None
        self.l.W.update_rule is None
        ys = [c(x) for c in self.copies]
        return ys, self.l.update_enabled, [n for n, _ in other.namedparams()], other.l.name, list(self.l.__dict__['_params']) != []
