# entry: GGNN(10, 16, 3)
# arg: atoms:i32[4,7]
# arg: adj:f32[4,3,7,7]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class GraphLinear(chainer.Chain):
    def __init__(self, *args, **kwargs):
        super().__init__()
        with self.init_scope():
            self.linear = L.Linear(*args, **kwargs)

    def forward(self, x):
        s0, s1, s2 = x.shape
        x = F.reshape(x, (s0 * s1, s2))
        x = self.linear(x)
        x = F.reshape(x, (s0, s1, -1))
        return x


class GGNN(chainer.Chain):
    NUM_EDGE_TYPE = 3

    def __init__(self, out_dim, hidden_dim=16, n_layers=4, n_atom_types=20, concat_hidden=False, weight_tying=True):
        super(GGNN, self).__init__()
        n_readout = n_layers if concat_hidden else 1
        n_message = 1 if weight_tying else n_layers
        with self.init_scope():
            self.embed = L.EmbedID(out_size=hidden_dim, in_size=n_atom_types)
            self.message_layers = chainer.ChainList(*[GraphLinear(hidden_dim, self.NUM_EDGE_TYPE * hidden_dim) for _ in range(n_message)])
            self.update_layer = L.GRU(2 * hidden_dim, hidden_dim)
            self.i_layers = chainer.ChainList(*[GraphLinear(2 * hidden_dim, out_dim) for _ in range(n_readout)])
            self.j_layers = chainer.ChainList(*[GraphLinear(hidden_dim, out_dim) for _ in range(n_readout)])
        self.n_layers = n_layers
        self.hidden_dim = hidden_dim
        self.weight_tying = weight_tying

    def update(self, h, adj, step=0):
        xp = self.xp
        mb, atom, ch = h.shape
        index = 0 if self.weight_tying else step
        m = F.reshape(self.message_layers[index](h), (mb, atom, ch, self.NUM_EDGE_TYPE))
        m = F.transpose(m, (0, 3, 1, 2))
        m = F.reshape(m, (mb * self.NUM_EDGE_TYPE, atom, ch))
        adj = F.reshape(adj, (mb * self.NUM_EDGE_TYPE, atom, atom))
        m = F.batch_matmul(adj, m)
        m = F.reshape(m, (mb, self.NUM_EDGE_TYPE, atom, ch))
        m = F.sum(m, axis=1)
        m = F.reshape(F.concat((h, m), axis=2), (mb * atom, 2 * ch))
        out = self.update_layer(m)
        return F.reshape(out, (mb, atom, ch))

    def readout(self, h, h0, step=0):
        h1 = F.concat((h, h0), axis=2)
        g = F.sigmoid(self.i_layers[0](h1)) * self.j_layers[0](h1[:, :, :self.hidden_dim])
        return F.sum(g, axis=1)

    def forward(self, atoms, adj):
        self.update_layer.reset_state()
        h = self.embed(atoms)
        h0 = F.copy(h, -1)
        for step in range(self.n_layers):
            h = self.update(h, adj, step)
        return self.readout(h, h0)
