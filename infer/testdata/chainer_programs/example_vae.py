# entry: AvgELBOLoss(Encoder(784, 20, 64), Decoder(784, 20, 64), Prior(20), k=3)
# arg: x:f32[8,784]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class AvgELBOLoss(chainer.Chain):
    def __init__(self, encoder, decoder, prior, beta=1.0, k=1):
        super(AvgELBOLoss, self).__init__()
        self.beta = beta
        self.k = k
        with self.init_scope():
            self.encoder = encoder
            self.decoder = decoder
            self.prior = prior

    def __call__(self, x):
        q_z = self.encoder(x)
        z = q_z.sample(self.k)
        p_x = self.decoder(z)
        p_z = self.prior()
        reconstr = F.mean(p_x.log_prob(F.broadcast_to(x[None, :], (self.k,) + x.shape)))
        kl_penalty = F.mean(chainer.kl_divergence(q_z, p_z))
        loss = -(reconstr - self.beta * kl_penalty)
        chainer.report({'loss': loss}, self)
        return loss


class Encoder(chainer.Chain):
    def __init__(self, n_in, n_latent, n_h):
        super(Encoder, self).__init__()
        with self.init_scope():
            self.linear = L.Linear(n_in, n_h)
            self.mu = L.Linear(n_h, n_latent)
            self.ln_sigma = L.Linear(n_h, n_latent)

    def forward(self, x):
        h = F.tanh(self.linear(x))
        return chainer.distributions.Independent(chainer.distributions.Normal(loc=self.mu(h), log_scale=self.ln_sigma(h)))


class Decoder(chainer.Chain):
    def __init__(self, n_in, n_latent, n_h):
        super(Decoder, self).__init__()
        with self.init_scope():
            self.linear = L.Linear(n_latent, n_h)
            self.output = L.Linear(n_h, n_in)

    def forward(self, z):
        n_batch_axes = z.ndim - 1
        h = F.tanh(self.linear(z, n_batch_axes=n_batch_axes))
        h = self.output(h, n_batch_axes=n_batch_axes)
        return chainer.distributions.Independent(chainer.distributions.Bernoulli(logit=h), reinterpreted_batch_ndims=1)


class Prior(chainer.Link):
    def __init__(self, n_latent):
        super(Prior, self).__init__()
        self.loc = np.zeros(n_latent, np.float32)
        self.scale = np.ones(n_latent, np.float32)
        self.register_persistent('loc')
        self.register_persistent('scale')

    def forward(self):
        return chainer.distributions.Independent(chainer.distributions.Normal(self.loc, scale=self.scale), reinterpreted_batch_ndims=1)
