# This file defines links of single steps of recurrent networks.
import _shapecheck
import numpy
import chainer
from chainer import Chain, Variable
from chainer import functions as F
from ..initializers import _fill, _get_initializer
from ._weights import known_keywords, size_of
from .connection import Linear


class _LSTMBase(Chain):
    def __init__(self, in_size, out_size=None, lateral_init=None, upward_init=None, bias_init=None, forget_bias_init=None):
        if out_size is None:
            out_size, in_size = in_size, None
        super().__init__()
        self.state_size = out_size
        self.lateral_init, self.upward_init, self.bias_init, self.forget_bias_init = lateral_init, upward_init, bias_init, forget_bias_init
        with self.init_scope():
            self.upward = Linear(in_size, 4 * out_size, initialW=0)
            self.lateral = Linear(out_size, 4 * out_size, initialW=0, nobias=True)
            if in_size is not None:
                self._initialize_params()

    def _initialize_params(self, in_size=None):
        if in_size is not None:
            self.upward._initialize_params(in_size)
        n = self.state_size
        for i in range(4):
            for link, initializer in (self.lateral, self.lateral_init), (self.upward, self.upward_init):
                _fill(_get_initializer(initializer), link.W.array[i * n:(i + 1) * n])
        gates = self.upward.b.array.reshape(1, n, 4, 1)
        for i in range(4):
            initializer, default = (self.forget_bias_init, 1) if i == 2 else (self.bias_init, 0)
            initializer = _get_initializer(default if initializer is None else initializer)
            if hasattr(initializer, 'check'):
                initializer.check((1, n, 1))
            _fill(initializer, gates[:, :, i])


def _zeros(x, rows, size):
    return Variable(numpy.zeros((rows, size), dtype=x.dtype))


class StatelessLSTM(_LSTMBase):
    def forward(self, c, h, x):
        if self.upward.W._waits:
            _shapecheck.before_call(self._initialize_params, x.size // x.shape[0])
        gates = self.upward(x)
        if h is not None:
            gates += self.lateral(h)
        if c is None:
            c = _zeros(x, x.shape[0], self.state_size)
        return F.lstm(c, gates)


class LSTM(_LSTMBase):
    def __init__(self, in_size, out_size=None, lateral_init=None, upward_init=None, bias_init=None, forget_bias_init=None):
        super().__init__(in_size, out_size, lateral_init, upward_init, bias_init, forget_bias_init)
        self.reset_state()

    def set_state(self, c, h):
        assert isinstance(c, Variable)
        assert isinstance(h, Variable)
        self.c, self.h = c, h

    def reset_state(self):
        self.c = self.h = None

    def forward(self, x):
        if self.upward.W._waits:
            _shapecheck.before_call(self._initialize_params, size_of(x.shape[1:]))
        batch = x.shape[0]
        gates = self.upward(x)
        rest = None
        if self.h is not None:
            rows = self.h.shape[0]
            if batch == 0:
                rest = self.h
            elif rows < batch:
                raise TypeError('The batch size of x must be equal to or less than the size of the previous state h.')
            elif rows > batch:
                update, rest = F.split_axis(self.h, [batch], axis=0)
                gates += self.lateral(update)
            else:
                gates += self.lateral(self.h)
        if self.c is None:
            self.c = _zeros(x, batch, self.state_size)
        self.c, y = F.lstm(self.c, gates)
        if rest is None:
            self.h = y
        elif batch == 0:
            self.h = rest
        else:
            self.h = F.concat([y, rest], axis=0)
        return y


class _GRUBase(Chain):
    def __init__(self, in_size, out_size, init=None, inner_init=None, bias_init=None):
        super().__init__()
        with self.init_scope():
            for gate in ('_r', '_z', ''):
                setattr(self, 'W' + gate, Linear(in_size, out_size, initialW=init, initial_bias=bias_init))
                setattr(self, 'U' + gate, Linear(out_size, out_size, initialW=inner_init, initial_bias=bias_init))


class StatelessGRU(_GRUBase):
    def forward(self, h, x):
        r = F.sigmoid(self.W_r(x) + self.U_r(h))
        z = F.sigmoid(self.W_z(x) + self.U_z(h))
        new = F.tanh(self.W(x) + self.U(r * h))
        return F.linear_interpolate(z, new, h)


class StatefulGRU(_GRUBase):
    def __init__(self, in_size, out_size, init=None, inner_init=None, bias_init=0):
        super().__init__(in_size, out_size, init, inner_init, bias_init)
        self.state_size = out_size
        self.reset_state()

    def set_state(self, h):
        assert isinstance(h, Variable)
        self.h = h

    def reset_state(self):
        self.h = None

    def forward(self, x):
        z = self.W_z(x)
        new = self.W(x)
        h = self.h
        if h is not None:
            r = F.sigmoid(self.W_r(x) + self.U_r(h))
            z += self.U_z(h)
            new += self.U(r * h)
        z, new = F.sigmoid(z), F.tanh(new)
        self.h = z * new if h is None else F.linear_interpolate(z, new, h)
        return self.h


class GRU(StatefulGRU):
    def forward(self, *args):
        if len(args) != 1:
            raise ValueError('Invalid argument. The length of GRU.forward must be 1. But %d is given.' % len(args))
        return super().forward(args[0])


class _MGUBase(Chain):
    def __init__(self, n_inputs, n_units):
        super().__init__()
        with self.init_scope():
            self.W_f = Linear(n_inputs + n_units, n_units)
            self.W_h = Linear(n_inputs + n_units, n_units)

    def _call_mgu(self, h, x):
        f = F.sigmoid(self.W_f(F.concat([h, x])))
        new = F.tanh(self.W_h(F.concat([f * h, x])))
        return F.linear_interpolate(f, new, h)


class StatelessMGU(_MGUBase):
    def forward(self, h, x):
        return self._call_mgu(h, x)


class StatefulMGU(_MGUBase):
    def __init__(self, in_size, out_size):
        super().__init__(in_size, out_size)
        self._state_size = out_size
        self.reset_state()

    def set_state(self, h):
        assert isinstance(h, Variable)
        self.h = h

    def reset_state(self):
        self.h = None

    def forward(self, x):
        h = self.h
        if h is None:
            h = Variable(numpy.zeros((x.shape[0], self._state_size), dtype=chainer.get_dtype()))
        self.h = self._call_mgu(h, x)
        return self.h


def _gates(x):
    """The four gates of a row, which lie side by side for each unit."""
    n, size = x.shape
    parts = F.split_axis(F.reshape(x, (n, size // 4, 4)), 4, 2)
    return [F.reshape(p, p.shape[:2]) for p in parts]


class StatefulPeepholeLSTM(Chain):
    def __init__(self, in_size, out_size):
        super().__init__()
        self.state_size = out_size
        self.reset_state()
        with self.init_scope():
            self.upward = Linear(in_size, 4 * out_size)
            self.lateral = Linear(out_size, 4 * out_size, nobias=True)
            self.peep_i = Linear(out_size, out_size, nobias=True)
            self.peep_f = Linear(out_size, out_size, nobias=True)
            self.peep_o = Linear(out_size, out_size, nobias=True)

    def reset_state(self):
        self.c = self.h = None

    def forward(self, x):
        x4 = self.upward(x)
        if self.h is not None:
            x4 += self.lateral(self.h)
        if self.c is None:
            self.c = _zeros(x, len(x), self.state_size)
        a, i, f, o = _gates(x4)
        i, f = F.sigmoid(i + self.peep_i(self.c)), F.sigmoid(f + self.peep_f(self.c))
        self.c = F.tanh(a) * i + f * self.c
        self.h = F.sigmoid(o + self.peep_o(self.c)) * F.tanh(self.c)
        return self.h


class StatefulZoneoutLSTM(Chain):
    def __init__(self, in_size, out_size, c_ratio=0.5, h_ratio=0.5, **kwargs):
        known_keywords(kwargs)
        super().__init__()
        self.state_size, self.c_ratio, self.h_ratio = out_size, c_ratio, h_ratio
        self.reset_state()
        with self.init_scope():
            self.upward = Linear(in_size, 4 * out_size)
            self.lateral = Linear(out_size, 4 * out_size, nobias=True)

    def set_state(self, c, h):
        assert isinstance(c, Variable)
        assert isinstance(h, Variable)
        self.c, self.h = c, h

    def reset_state(self):
        self.c = self.h = None

    def forward(self, x):
        x4 = self.upward(x)
        if self.h is not None:
            x4 += self.lateral(self.h)
        else:
            self.h = _zeros(x, len(x), self.state_size)
        if self.c is None:
            self.c = _zeros(x, len(x), self.state_size)
        a, i, f, o = _gates(x4)
        c = F.tanh(a) * F.sigmoid(i) + F.sigmoid(f) * self.c
        self.c = F.zoneout(self.c, c, self.c_ratio)
        self.h = F.zoneout(self.h, F.sigmoid(o) * F.tanh(c), self.h_ratio)
        return self.h


class _TreeBase(Chain):
    def _filled(self, states, x):
        return [_zeros(x, x.shape[0], self.state_size) if s is None else s for s in states]

    def _input(self, cs, hs, x):
        if x is not None:
            return x
        base = [s for s in list(cs) + list(hs) if s is not None]
        if not base:
            raise ValueError('All inputs (cs, hs, x) are None.')
        return numpy.zeros((base[0].shape[0], self.in_size), dtype=base[0].dtype)


class ChildSumTreeLSTM(_TreeBase):
    def __init__(self, in_size, out_size):
        super().__init__()
        with self.init_scope():
            self.W_x = Linear(in_size, 4 * out_size)
            self.W_h_aio = Linear(out_size, 3 * out_size, nobias=True)
            self.W_h_f = Linear(out_size, out_size, nobias=True)
        self.in_size, self.state_size = in_size, out_size

    def forward(self, *cshsx):
        n = len(cshsx) // 2
        assert len(cshsx) % 2 == 1
        cs, hs = cshsx[:n], cshsx[n:-1]
        x = self._input(cs, hs, cshsx[-1])
        aio, f = F.split_axis(self.W_x(x), [3 * self.state_size], axis=1)
        if n == 0:
            a, i, o = F.split_axis(aio, 3, axis=1)
            c = F.sigmoid(i) * F.tanh(a)
            return c, F.sigmoid(o) * F.tanh(c)
        cs, hs = self._filled(cs, x), self._filled(hs, x)
        aio = self.W_h_aio(sum(hs)) + aio
        rows = F.split_axis(self.W_h_f(F.concat(hs, axis=0)), n, axis=0)
        forget = F.concat(rows, axis=1) + F.concat([f] * n, axis=1)
        return F.tree_lstm(*(list(cs) + [F.concat([aio, forget], axis=1)]))


class NaryTreeLSTM(_TreeBase):
    def __init__(self, in_size, out_size, n_ary=2):
        assert n_ary >= 1
        super().__init__()
        with self.init_scope():
            self.W_x = Linear(in_size, (3 + n_ary) * out_size)
            for i in range(n_ary):
                setattr(self, 'W_h%d' % (i + 1), Linear(out_size, (3 + n_ary) * out_size, nobias=True))
        self.in_size, self.state_size, self.n_ary = in_size, out_size, n_ary

    def forward(self, *cshsx):
        n = self.n_ary
        assert len(cshsx) == 2 * n + 1
        cs, hs = cshsx[:n], cshsx[n:-1]
        x = self._input(cs, hs, cshsx[-1])
        gates = self.W_x(x)
        for i in range(n):
            if hs[i] is not None:
                gates += getattr(self, 'W_h%d' % (i + 1))(hs[i])
        return F.tree_lstm(*(self._filled(cs, x) + [gates]))
