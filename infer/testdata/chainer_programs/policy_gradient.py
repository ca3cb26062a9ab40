# entry: Pg(4, 2)
# arg: s:f32[5,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Pg(chainer.Chain):
    def __init__(self, n, k):
        super().__init__(pi=L.Linear(n, k), v=L.Linear(n, 1))

    def forward(self, s):
        logits = self.pi(s)
        p = F.softmax(logits)
        lp = F.log_softmax(logits)
        ent = -F.sum(p * lp, axis=1)
        d = chainer.distributions.Categorical(logit=logits)
        a = d.sample()
        lpa = F.select_item(lp, a.array.astype(np.int32))
        v = F.flatten(self.v(s))
        adv = np.ones(5, np.float32) - v.array
        loss = -F.mean(lpa * adv) + 0.5 * F.mean_squared_error(v, np.ones(5, np.float32)) - 0.01 * F.mean(ent)
        self.cleargrads()
        loss.backward()
        total = np.sqrt(sum((p.grad ** 2).sum() for p in self.params()))
        return loss, ent, a, adv, self.pi.W.grad, d.entropy, d.log_prob(a), total.dtype
