# This file defines recurrent networks over lists of sequences of different lengths.
import _shapecheck
import numpy
from chainer import ChainList, Link, Parameter, Variable, initializers
from chainer import functions as F


class _NStepBase(ChainList):
    n_weights = 0
    n_cells = 1
    use_bi_direction = False

    def __init__(self, n_layers, in_size, out_size, dropout, *, initialW=None, initial_bias=None):
        directions = 2 if self.use_bi_direction else 1
        W_initializer = initializers._get_initializer(initialW)
        b_initializer = initializers._get_initializer(0 if initial_bias is None else initial_bias)
        layers = []
        for layer in range(n_layers):
            for _ in range(directions):
                link = Link()
                with link.init_scope():
                    for j in range(self.n_weights):
                        size = out_size
                        if j < self.n_weights // 2:
                            size = in_size if layer == 0 else out_size * directions
                        setattr(link, 'w%d' % j, Parameter(W_initializer, (out_size, size)))
                        setattr(link, 'b%d' % j, Parameter(b_initializer, out_size))
                layers.append(link)
        super().__init__(*layers)
        self.n_layers, self.dropout, self.out_size, self.direction = n_layers, dropout, out_size, directions
        self.ws = [[getattr(layer, 'w%d' % j) for j in range(self.n_weights)] for layer in layers]
        self.bs = [[getattr(layer, 'b%d' % j) for j in range(self.n_weights)] for layer in layers]

    def copy(self, mode='share'):
        new = super().copy(mode)
        new.ws = [[getattr(layer, 'w%d' % j) for j in range(self.n_weights)] for layer in new]
        new.bs = [[getattr(layer, 'b%d' % j) for j in range(self.n_weights)] for layer in new]
        return new

    def init_hx(self, xs):
        return Variable(numpy.zeros((self.n_layers * self.direction, len(xs), self.out_size), dtype=xs[0].dtype))

    def _run(self, states, xs):
        assert isinstance(xs, (list, tuple)), 'xs must be a list or tuple of sequences, not %s' % type(xs)
        lengths = [len(x) for x in xs]
        if _shapecheck.is_open(xs) or any([_shapecheck.is_symbolic(n) for n in lengths]):
            return self._run_open(states, xs)
        order = sorted(range(len(xs)), key=lambda i: -lengths[i])
        ordered = [xs[i] for i in order]
        given = []
        for h in states:
            if h is None:
                h = self.init_hx(xs)
            else:
                h = F.permutate(h, numpy.array(order, dtype=numpy.int32), axis=1)
            given.append(h)
        steps = F.transpose_sequence(ordered)
        out = self.rnn(self.n_layers, self.dropout, *given, self.ws, self.bs, steps)
        back = [0] * len(order)
        for place, i in enumerate(order):
            back[i] = place
        ys = F.transpose_sequence(out[-1])
        ys = [ys[place] for place in back]
        hs = [F.permutate(h, numpy.array(order, dtype=numpy.int32), axis=1, inv=True) for h in out[:-1]]
        return hs, ys

    def _run_open(self, states, xs):
        # Sequences whose lengths, or whose number, are sizes that are not numbers: their order, and so the steps, are not known, but their types are.
        given = [self.init_hx(xs) if h is None else h for h in states]
        some = [xs[0]] if _shapecheck.is_open(xs) else xs
        steps = [F._n_step_rows(x, len(xs)) for x in some]
        out = self.rnn(self.n_layers, self.dropout, *given, self.ws, self.bs, steps)
        ys = [F._n_step_sequence(out[-1][0], x) for x in xs]
        return [F._n_step_state(h, *some) for h in out[:-1]], ys

    def forward(self, hx, xs, **kwargs):
        _no_keywords(kwargs)
        (hy,), ys = self._run([hx], xs)
        return hy, ys


def _no_keywords(kwargs):
    for name in kwargs:
        raise TypeError("forward() got an unexpected keyword argument '%s'" % name)


class _LSTM(_NStepBase):
    n_weights = 8
    n_cells = 2

    def forward(self, hx, cx, xs, **kwargs):
        _no_keywords(kwargs)
        (hy, cy), ys = self._run([hx, cx], xs)
        return hy, cy, ys


class NStepLSTM(_LSTM):
    def rnn(self, *args):
        return F.n_step_lstm(*args)


class NStepBiLSTM(_LSTM):
    use_bi_direction = True

    def rnn(self, *args):
        return F.n_step_bilstm(*args)


class NStepGRU(_NStepBase):
    n_weights = 6

    def rnn(self, *args):
        return F.n_step_gru(*args)


class NStepBiGRU(_NStepBase):
    n_weights = 6
    use_bi_direction = True

    def rnn(self, *args):
        return F.n_step_bigru(*args)


class NStepRNNTanh(_NStepBase):
    n_weights = 2

    def rnn(self, *args):
        return F.n_step_rnn(*args, activation='tanh')


class NStepRNNReLU(_NStepBase):
    n_weights = 2

    def rnn(self, *args):
        return F.n_step_rnn(*args, activation='relu')


class NStepBiRNNTanh(_NStepBase):
    n_weights = 2
    use_bi_direction = True

    def rnn(self, *args):
        return F.n_step_birnn(*args, activation='tanh')


class NStepBiRNNReLU(_NStepBase):
    n_weights = 2
    use_bi_direction = True

    def rnn(self, *args):
        return F.n_step_birnn(*args, activation='relu')
