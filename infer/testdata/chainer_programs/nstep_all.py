# entry: forward
# arg: xs=[f32[4,3], f32[2,3], f32[5,3]]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(xs):
    out = []
    for cls in (L.NStepLSTM, L.NStepBiLSTM, L.NStepGRU, L.NStepBiGRU, L.NStepRNNTanh, L.NStepRNNReLU, L.NStepBiRNNTanh, L.NStepBiRNNReLU):
        net = cls(2, 3, 4, 0.1)
        if 'LSTM' in cls.__name__:
            hy, cy, ys = net(None, None, xs)
            out.append((hy, cy, ys, net.n_layers, net.out_size, net.n_cells if hasattr(net, 'n_cells') else 0))
            hy, cy, ys = net(hy, cy, xs)
        else:
            hy, ys = net(None, xs)
            hy, ys = net(hy, xs)
        out.append((hy, ys, net.rnn.__name__ if hasattr(net, 'rnn') else '', net.count_params(), len(net), net.use_bi_direction))
    return out
