# entry: SkipGram(30, 6, L.NegativeSampling(6, [2] * 30, 5))
# arg: x:i32[5]
# arg: contexts:i32[5,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class SkipGram(chainer.Chain):
    def __init__(self, n_vocab, n_units, loss_func):
        super(SkipGram, self).__init__()
        with self.init_scope():
            self.embed = L.EmbedID(n_vocab, n_units, initialW=chainer.initializers.Uniform(1. / n_units))
            self.loss_func = loss_func

    def forward(self, x, contexts):
        e = self.embed(contexts)
        batch_size, n_context, n_units = e.shape
        x = F.broadcast_to(x[:, None], (batch_size, n_context))
        e = F.reshape(e, (batch_size * n_context, n_units))
        x = F.reshape(x, (batch_size * n_context,))
        loss = self.loss_func(e, x)
        return loss
