# entry: forward
# arg: a:f32[4,3]
import chainer
import chainer.functions as F
import numpy as np


def forward(a):
    n_layers, n_in, n = 2, 3, 5
    w = lambda *s: chainer.Variable(np.zeros(s, 'f'))
    def pack(k, bi):
        ws, bs = [], []
        for l in range(n_layers):
            for d in range(2 if bi else 1):
                i = n_in if l == 0 else n * (2 if bi else 1)
                ws.append([w(n, i) if j < k // 2 else w(n, n) for j in range(k)])
                bs.append([w(n) for j in range(k)])
        return ws, bs
    xs = [w(3, 3), w(2, 3), w(2, 3), w(1, 3)]
    out = []
    for bi in (0, 1):
        h = w(n_layers * (2 if bi else 1), 3, n)
        ws, bs = pack(8, bi)
        f = F.n_step_bilstm if bi else F.n_step_lstm
        out.append(f(n_layers, 0.5, h, h, ws, bs, xs))
        ws, bs = pack(6, bi)
        f = F.n_step_bigru if bi else F.n_step_gru
        out.append(f(n_layers, 0.5, h, ws, bs, xs))
        ws, bs = pack(2, bi)
        f = F.n_step_birnn if bi else F.n_step_rnn
        out.append(f(n_layers, 0.5, h, ws, bs, xs, 'relu'))
    return out
