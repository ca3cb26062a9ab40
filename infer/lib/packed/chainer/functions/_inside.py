# This file has what modules of chainer.functions define for themselves and other packages use: a class for each module,
# and what several of them have.


def _pair(x):
    return x if hasattr(x, '__getitem__') else (x, x)


def _sigmoid(x, xp=None):
    import numpy
    half = x.dtype.type(0.5)
    return (xp or numpy).tanh(x * half) * half + half


def _grad_sigmoid(x):
    return x * (1 - x)


def _grad_tanh(x):
    return 1 - x * x


class lstm:
    @staticmethod
    def _extract_gates(x):
        r = x.reshape((len(x), x.shape[1] // 4, 4) + x.shape[2:])
        return [r[:, :, i] for i in range(4)]


class slstm:
    @staticmethod
    def _extract_gates(x):
        r = x.reshape((x.shape[0], x.shape[1] // 4, 4) + x.shape[2:])
        return (r[:, :, i] for i in range(4))


class tree_lstm:
    @staticmethod
    def _extract_gates(x, n_split=5):
        r = x.reshape((x.shape[0], n_split, x.shape[1] // n_split) + x.shape[2:])
        return (r[:, i, :] for i in range(n_split))
